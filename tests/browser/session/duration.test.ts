import { expect, key, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'

test('001-7: what the model is not sent any more stays in the conversation, muted, and says so', async ({
  page
}) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  const sessionId = 'brief'
  const made = { agentId: 'guide', sessionId }
  await page.request.post('/api/plugins/sessions/operations/create', { headers: key, data: made })
  const data = { text: 'say The code is 4711.', duration: 1 }
  await page.request.post(`/api/sessions/${sessionId}/messages`, { headers: key, data })
  await page.goto(`/sessions/${sessionId}`)
  const row = page.getByTitle('No longer sent to the model')
  await expect(row.getByText('say The code is 4711.')).toBeVisible()
  await expect(row).toHaveCount(1)
  await page.reload()
  await expect(row.getByText('say The code is 4711.')).toBeVisible()
  await looksWell(page)
})
