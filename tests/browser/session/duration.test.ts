import { expect, test } from '#tests/browser/test.ts'
import { openNotSent } from './open.ts'

test('001-7: a message that is no longer sent to the model stays in the transcript, muted and labeled', async ({
  page,
  api,
  id
}) => {
  await openNotSent(page, api, id('brief'))
  const row = page.getByTestId('row-not-sent')
  for (const visit of ['first', 'reloaded']) {
    if (visit === 'reloaded') await page.reload()
    await expect(row.getByText('say The code is 4711.')).toBeVisible()
    await expect(row).toHaveCount(1)
    await expect(row).toHaveAttribute('title', /./)
  }
})
