import { expect, type Page, test } from '#tests/browser/test.ts'
import { openForeman, spawnMessage } from './foreman.ts'

const calls = (page: Page) =>
  page.locator('[data-row]').filter({ has: page.locator('[data-tool="spawn-agent"]') })

test('001-16: a question of a sub-agent is answered in the parent session, and its result returns there', async ({
  page,
  api,
  id
}) => {
  const agentId = id('foreman')
  const sendMessage = await openForeman(page, api, agentId)
  await sendMessage(
    `${spawnMessage('use ask-question {"question": "Which bird?"}')}\n${spawnMessage('count to 300')}`
  )
  const subAgents = page.getByTestId('sub-agents')
  await expect(subAgents.locator('[data-sub-agent]')).toHaveCount(2)
  await expect(subAgents.getByRole('heading', { name: 'Which bird?' })).toBeVisible()
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'parked')
  // The list has only the session that a user started, with the status of its sub-agents.
  await expect(page.locator(`[data-session="${agentId}"]`)).toHaveAttribute('data-state', 'parked')

  await page.reload()
  await subAgents.getByTestId('ask-question-input').fill('The robin')
  await subAgents.getByTestId('ask-question-submit').click()
  await expect(subAgents).toHaveCount(0)
  const row = calls(page).first()
  await row.locator('[data-toggle]').click()
  await expect(row.getByText('The robin')).toBeVisible()
  await row.getByTestId('open-sub-agent').click()
  await expect(page).toHaveURL(/\/sessions\/sub_/)
  await expect(page.getByText('Which bird?').first()).toBeVisible()
  await page.locator('header').getByTestId('open-parent').last().click()
  await expect(page).toHaveURL(new RegExp(`/sessions/${agentId}`))
})

test('001-16: a pending sub-agent call links to its session, and is canceled with it by keyboard', async ({
  page,
  api,
  id
}) => {
  const sendMessage = await openForeman(page, api, id('foreman'))
  await sendMessage(spawnMessage('use ask-question {"question": "Which bird?"}'))
  const row = calls(page)
  await row.locator('[data-toggle]').focus()
  await page.keyboard.press('Enter')
  const card = row.locator('[data-call][data-place="inline"]')
  await expect(card.getByRole('heading')).toContainText('Foreman')
  await expect(card.getByTestId('open-sub-agent')).toHaveAttribute('href', /^\/sessions\/sub_/)
  await card.getByTestId('cancel-wait').focus()
  await page.keyboard.press('Enter')
  await page.getByTestId('confirm').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('sub-agents')).toHaveCount(0)
  await expect(page.locator('[data-tool="spawn-agent"]')).toHaveAttribute('data-state', 'cancelled')
})
