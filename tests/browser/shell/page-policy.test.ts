import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { authSecret, expect, type Page, test } from '#tests/browser/test.ts'
import { startSession } from './start-session.ts'

const cspViolations = (page: Page): string[] => {
  const violations: string[] = []
  page.on('console', message => {
    if (/Content Security Policy|Refused to/.test(message.text())) violations.push(message.text())
  })
  return violations
}

test('our own pages comply with their policy: the browser blocks none of their content', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('policy')
  await startSession(api, sessionId)
  const violations = cspViolations(page)
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.locator('[data-composer]')).toBeEditable()
  expect(violations).toEqual([])
})

test.describe('a visitor', () => {
  test.use({ signedIn: false })

  test('the sign-in page and the page of a link comply with their policies', async ({ page, server }) => {
    const violations = cspViolations(page)
    await page.goto('/sign-in')
    await expect(page.getByTestId('link-help')).toBeVisible()
    await page.goto(localLink({ authSecret, url: server.url }))
    await page.getByTestId('continue-as-local-owner').click()
    await page.waitForURL(/\/sessions\/welcome$/)
    expect(violations).toEqual([])
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
