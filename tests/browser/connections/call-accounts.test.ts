import { expect, test } from '#tests/browser/test.ts'
import { orderForEve } from './call-accounts.ts'

test('22 A3: the card of a call names the end user whose account it would use, and the other users who sent messages', async ({
  page,
  api,
  id
}) => {
  const line = await orderForEve(page, api, id('order'))
  await expect(line).toContainText('eve')
  await expect(line).toContainText('Local owner')
  await page.reload()
  await expect(line).toContainText('eve')
})
