import { expect, test } from '#tests/browser/test.ts'
import { openNotSent } from './open.ts'

test('001-7: what the model is not sent any more stays in the conversation, muted, and says so', async ({
  page,
  api,
  id
}) => {
  await openNotSent(page, api, id('brief'))
  const row = page.getByTestId('row-not-sent')
  for (const look of ['first', 'reloaded']) {
    if (look === 'reloaded') await page.reload()
    await expect(row.getByText('say The code is 4711.')).toBeVisible()
    await expect(row).toHaveCount(1)
    await expect(row).toHaveAttribute('title', /./)
  }
})
