import { expect, test } from '#tests/browser/test.ts'

test('a key without a name, a webhook without a URL and a wiki without a name show the error at the field', async ({
  page
}) => {
  for (const [path, open, create, name] of [
    ['/settings/keys', '[data-hook="new-key"]', '[data-hook="create-key"]', '[data-hook="key-name"]'],
    [
      '/settings/webhooks',
      '[data-hook="new-webhook"]',
      '[data-hook="create-webhook"]',
      '[name="webhookUrl"]'
    ],
    [
      '/wikis',
      '[data-hook="open-new-wiki"]',
      '[data-hook="new-wiki"] [type="submit"]',
      '[data-hook="new-wiki"] [name="name"]'
    ]
  ] as const) {
    await page.goto(path)
    const field = page.locator(name)
    await page.locator(open).click()
    await page.locator(create).click()
    await expect(field, name).toHaveAttribute('aria-invalid', 'true')
    await expect(field, name).toHaveAccessibleDescription(/./)
  }
})
