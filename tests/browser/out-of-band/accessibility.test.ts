import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { ci, edges, expect, heldMessages, openPolicy, sendToMessage, test } from './test.ts'

test('the empty page is accessible and never scrolls sideways', async ({ page }) => {
  await page.goto('/out-of-band')
  await expect(page.getByTestId('nothing-told')).toBeVisible()
  await expectAccessible(page)
})

test('the page with an expanded row, and as a list of messages, is accessible and never scrolls sideways', async ({
  page,
  outOfBand
}) => {
  const review = await outOfBand.create('review', 'Review the login')
  const build = await outOfBand.create('build', 'Build 2.4')
  await outOfBand.sendMessage(review, sendToMessage(build, 'Do not release yet.'))
  await outOfBand.send(review, 'Build 9 is red.')
  await page.goto('/out-of-band')
  await edges(page).first().locator('[data-edge]').click()
  await expect(page.getByTestId('told-messages').getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await page.getByTestId('show-messages').click()
  await expect(page.getByTestId('told-messages').getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
})

test('a session with a held message, and its row in the list, are accessible and never scroll sideways', async ({
  page,
  api,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('held', 'Held')
  await outOfBand.setPolicy(sessionId, { mode: 'approve' })
  await outOfBand.send(sessionId, 'Build 3 is red.', { priority: 'high', metadata: { action: 'redirect' } })
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  await page.goto(`/sessions/${sessionId}`)
  await expect(heldMessages(page)).toHaveCount(1)
  await expect(page.locator(`[data-session="${sessionId}"]`).getByTestId('session-beside')).toBeVisible()
  await expectAccessible(page)
})

test('the policy of a session with a muted source is accessible and never scrolls sideways', async ({
  page,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('muted', 'Muted')
  await outOfBand.setPolicy(sessionId, { muted: [ci] })
  await page.goto(`/sessions/${sessionId}`)
  const dialog = await openPolicy(page)
  await expect(dialog.getByTestId('muted-sources')).toBeVisible()
  await expectAccessible(page)
})

test('a session with an expired, a removed and a pending message is accessible and never scrolls sideways', async ({
  page,
  api,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('unreceived', 'Unreceived')
  await outOfBand.send(sessionId, 'The slot is free.', { ttlSeconds: 1, priority: 'high' })
  const { id } = await outOfBand.send(sessionId, 'Build 12 is red.')
  await outOfBand.send(sessionId, 'Valid for a day.', { ttlSeconds: 86_400 })
  await api('DELETE', `/api/sessions/${sessionId}/oob/${id}`)
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.locator('[data-oob][data-status=expired]')).toBeVisible()
  await expectAccessible(page)
})
