import { expect, test } from '#tests/browser/test.ts'
import { openSession } from './open.ts'

test('a page responds when its session has a title with several spaces in a row', async ({
  page,
  api,
  id
}) => {
  await api('POST', '/api/agents', { agentId: id('desk'), displayName: 'Front desk', chat: {} })
  await openSession(page, api, { agentId: id('desk'), sessionId: id('spaces'), title: 'Tidy  up, please' })
  await expect(page).toHaveTitle(/^Tidy up, please/)
  await page.evaluate(() => {
    document.title = 'Overwritten'
  })
  await expect(page).toHaveTitle(/^Tidy up, please/)
})
