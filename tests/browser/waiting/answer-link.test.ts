import { demo } from '#tests/support/fakes/demo.ts'
import { expect, test } from './answer-page.ts'

const phone = { width: 390, height: 844 }

test.describe('without JavaScript and without a cookie, on a phone', () => {
  test.use({ javaScriptEnabled: false, viewport: phone })

  test('a link can be used once', async ({ page, links }) => {
    const link = await links.ask('tea', demo.askToChoose('tea', 'coffee'))
    const consoleMessages: string[] = []
    page.on('console', message => consoleMessages.push(message.text()))
    const response = await page.goto(link)
    expect(response?.status()).toBe(200)
    expect(await response?.headerValue('referrer-policy')).toBe('no-referrer')
    expect(await response?.headerValue('content-security-policy')).toContain("default-src 'none'")
    expect(await response?.headerValue('set-cookie')).toBeNull()
    await expect(page.getByText('Order tea')).toBeVisible()
    await page.getByRole('radio', { name: 'coffee' }).check()
    await page.locator('button[value="yes"]').click()
    await expect(page.getByRole('status')).toHaveAttribute('data-fate', 'taken')
    await expect(page.locator('[data-state]')).toHaveAttribute('data-state', 'answered')
    await page.goto(link)
    await expect(page.getByRole('button')).toHaveCount(0)
    expect(consoleMessages).toEqual([])
  })

  test('a user who answers second on an open page sees the first answer', async ({
    page,
    context,
    links
  }) => {
    const link = await links.ask('race', 'fetch https://example.com')
    const second = await context.newPage()
    await page.goto(link)
    await second.goto(link)
    await page.locator('[name="reason"]').fill('Not this one.')
    await page.locator('button[value="no"]').click()
    await expect(page.locator('[data-state]')).toHaveAttribute('data-state', 'denied')
    await second.locator('button[value="yes"]').click()
    await expect(second.getByRole('status')).toHaveAttribute('data-fate', 'lost')
    await expect(second.getByText('“Not this one.”')).toBeVisible()
  })

  test('each button is large enough to tap', async ({ page, links }) => {
    for (const text of [demo.askToChoose('tea', 'coffee'), 'fetch https://example.com']) {
      await page.goto(await links.ask(text === demo.askToChoose('tea', 'coffee') ? 'tea' : 'page', text))
      const buttons = await page.getByRole('button').all()
      expect(buttons).toHaveLength(2)
      for (const button of buttons) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
  })
})

test('a page of another site cannot make the browser of a user answer', async ({ page, links }) => {
  const link = await links.ask('elsewhere', demo.askToChoose('tea', 'coffee'))
  await page.route('https://evil.example/**', route =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${link}"><input name="do" value="yes"><input name="choice" value="0"></form>
        <script>document.forms[0].submit()</script>`
    })
  )
  const submission = page.waitForResponse(response => response.url() === link)
  await page.goto('https://evil.example/').catch(() => {})
  expect((await submission).status()).toBe(403)
  await page.goto(link)
  await expect(page.locator('button[value="yes"]')).toBeVisible()
})
