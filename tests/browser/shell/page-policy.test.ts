import { globSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { authSecret, expect, type Page, test } from '#tests/browser/test.ts'
import { startSession } from './start-session.ts'

/** Collects console errors, blocked content, and responses with an error status that a page gets. */
function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || /Content Security Policy|Refused to/.test(message.text()))
      errors.push(`${page.url()}: ${message.text()}`)
  })
  page.on('response', response => {
    if (response.status() >= 400) errors.push(`${page.url()}: ${response.status()} ${response.url()}`)
  })
  return errors
}

/** Unknown pages, pages of objects that this server does not have, and of a turn that its URL names. Tests of these pages also fail on a console error. */
const openedElsewhere = [
  '/[...path]',
  '/connections/mcp/[server]',
  '/join/[token]',
  '/plugins/[plugin]',
  '/sessions/[sessionId]/compare',
  '/sign-in',
  '/views/[plugin]/[view]'
]

test('on no page, the browser blocks content, logs an error or gets an error status', async ({
  page,
  api,
  id
}) => {
  // It opens every page.
  test.slow()
  const sessionId = id('policy')
  await startSession(api, sessionId)
  await api('POST', '/api/wikis', { name: sessionId })
  const names: Record<string, string> = { agentId: 'guide', sessionId, wiki: sessionId, slug: 'web-fetch' }
  const pages = globSync('app/**/page.tsx')
    .map(file => `/${dirname(relative('app', file)).replace(/^\(\w+\)\/?|^\.$/, '')}`)
    .filter(path => !openedElsewhere.includes(path))
  expect(pages).toContain('/settings/profile')
  const errors = watchErrors(page)
  for (const path of pages) {
    await page.goto(path.replace(/\[(\w+)\]/g, (_, name) => names[name] ?? name))
    await expect(page.getByTestId('sidebar')).toBeAttached()
  }
  expect(errors).toEqual([])
})

test.describe('a visitor', () => {
  test.use({ signedIn: false })

  test('the sign-in page and the page of a link comply with their policies', async ({ page, server }) => {
    const errors = watchErrors(page)
    await page.goto('/sign-in')
    await expect(page.getByTestId('link-help')).toBeVisible()
    await page.goto(localLink({ authSecret, url: server.url }))
    await page.getByTestId('continue-as-local-owner').click()
    await page.waitForURL(/\/sessions\/welcome$/)
    expect(errors).toEqual([])
  })
})

test.describe('injected markup', () => {
  test.use({ signedIn: false, allowedError: /Content Security Policy/ })

  test('runs no script and loads no external image', async ({ page }) => {
    await page.goto('/sign-in')
    const violations: string[] = []
    await page.exposeFunction('refuse', (directive: string) => void violations.push(directive))
    await page.evaluate(async () => {
      const { refuse } = window as unknown as { refuse: (directive: string) => void }
      document.addEventListener('securitypolicyviolation', event => refuse(event.effectiveDirective))
      const frame = document.createElement('iframe')
      frame.srcdoc = '<script>parent.document.title = "taken"</script>'
      document.body.append(frame)
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img src="data:," onerror="document.title = `taken`"><img src="http://127.0.0.1:1/?secret">'
      )
      await new Promise(done => frame.addEventListener('load', done))
    })
    await expect.poll(() => violations).toEqual(expect.arrayContaining(['img-src', 'script-src-attr']))
    await expect(page).not.toHaveTitle('taken')
  })
})
