import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { authSecret, expect, type Page, test } from '#tests/browser/test.ts'
import { startSession } from './start-session.ts'

const refusals = (page: Page): string[] => {
  const refused: string[] = []
  page.on('console', message => {
    if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text())
  })
  return refused
}

test('our own pages keep to their policy: the browser refuses nothing of theirs', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('policy')
  await startSession(api, sessionId)
  const refused = refusals(page)
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.locator('[data-composer]')).toBeEditable()
  expect(refused).toEqual([])
})

test.describe('a visitor', () => {
  test.use({ signedIn: false })

  test('the sign-in page and the page of a link keep to their policies', async ({ page, server }) => {
    const refused = refusals(page)
    await page.goto('/sign-in')
    await expect(page.getByTestId('link-help')).toBeVisible()
    await page.goto(localLink({ authSecret, url: server.url }))
    await page.getByTestId('continue-as-local-owner').click()
    await page.waitForURL(/\/sessions\/welcome$/)
    expect(refused).toEqual([])
  })
})

test.describe('markup that came in from elsewhere', () => {
  test.use({ signedIn: false, allowedError: /Content Security Policy/ })

  test('runs no script and loads no foreign picture', async ({ page }) => {
    await page.goto('/sign-in')
    const refused: string[] = []
    await page.exposeFunction('refuse', (directive: string) => void refused.push(directive))
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
    await expect.poll(() => refused).toEqual(expect.arrayContaining(['img-src', 'script-src-attr']))
    await expect(page).not.toHaveTitle('taken')
  })
})
