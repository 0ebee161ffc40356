import { expect, test } from '#tests/browser/test.ts'

test('our own pages keep to their policy: nothing of theirs is refused by the browser', async ({ page }) => {
  const refused: string[] = []
  page.on('console', message => {
    if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text())
  })
  await page.goto('/sign-in')
  await page.getByRole('button').first().click()
  await page.waitForURL(url => url.pathname !== '/sign-in')
  await expect(page.getByRole('textbox').first()).toBeEditable()
  expect(refused).toEqual([])
})

test('markup that came in from elsewhere runs no script and loads no foreign picture', async ({ page }) => {
  await page.goto('/sign-in')
  const refused = await page.evaluate(async () => {
    const seen: string[] = []
    document.addEventListener('securitypolicyviolation', event => seen.push(event.effectiveDirective))
    const frame = document.createElement('iframe')
    frame.srcdoc = '<script>parent.document.title = "taken"</script>'
    document.body.append(frame)
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="data:," onerror="document.title = `taken`"><img src="http://127.0.0.1:1/?secret">'
    )
    await new Promise(done => frame.addEventListener('load', done))
    return seen
  })
  await expect(page).not.toHaveTitle('taken')
  expect(refused.sort()).toEqual(expect.arrayContaining(['img-src', 'script-src-attr']))
})
