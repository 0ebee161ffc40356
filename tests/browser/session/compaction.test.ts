import { expect, test } from '#tests/browser/test.ts'
import { openCompacted, typeMessage } from './open.ts'

test('001-17: a compaction is a row that expands to its summary, 001-20: a final answer is shown as text', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('terse')
  const row = await openCompacted(page, api, sessionId)
  // The number of messages, and the tokens before and after.
  await expect(row.locator('[data-toggle]')).toContainText(/\d+ .* [\d.]+k? → [\d.]+k? /)
  await expect(row.getByTestId('compaction-summary')).toContainText('say Order')
  await expect(row.locator('[data-made-by]')).toHaveAttribute('data-made-by', 'model')

  await typeMessage(page, 'use summary {"answer": "It is 42."}')
  // While the call streams, it shows the same text.
  await expect(page.getByRole('paragraph').filter({ hasText: /^It is 42\.$/ })).toBeVisible()
  await expect(page.locator('[data-row] [data-toggle]').filter({ hasText: /^summary/ })).toHaveCount(0)

  await page.goto(`/sessions/${sessionId}?inspect=context`)
  await expect(page.getByTestId('prompt-entries')).toBeVisible()
})
