import { expect, test } from '#tests/browser/test.ts'
import { expectAccessibleNow } from '#tests/support/browser/expect-accessible.ts'

test('a test set gets messages, runs on two revisions, and shows which message changed, also after a reload', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  const config = { agentId, displayName: 'Porter' }
  await api('POST', '/api/agents', config)
  await api('PUT', `/api/agents/${agentId}/draft`, {
    config: { ...config, chat: { tools: [{ name: 'client-info' }] } },
    base: 1
  })
  await page.goto(`/agents/${agentId}/tests`)
  await page.getByTestId('new-test-set').getByRole('textbox').fill('Basics')
  await page.getByTestId('new-test-set').getByRole('button').click()
  const form = page.getByTestId('add-test-message')
  for (const [n, text] of ['say hello', 'use nothing {}'].entries()) {
    await form.getByRole('textbox').fill(text)
    await form.locator('[type=submit]').click()
    await expect(page.getByTestId('test-messages').getByRole('listitem')).toHaveCount(n + 1)
  }
  await expectAccessibleNow(page)
  await page.getByTestId('run-test-set').locator('[type=submit]').click()
  const results = page.getByTestId('run-results')
  await expect(results.getByTestId('run-row')).toHaveCount(2)
  await expect(results).not.toHaveAttribute('data-open', { timeout: 30_000 })
  const changed = results.locator('[data-changed]')
  await expect(changed).toHaveCount(1)
  await expect(changed).toContainText('use nothing {}')
  await page.reload()
  await expect(changed).toHaveCount(1)
  await changed.getByRole('link').click()
  await expect(page.getByTestId('compare-column')).toHaveCount(2)
})
