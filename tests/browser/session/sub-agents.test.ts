import { randomUUID } from 'node:crypto'
import { expect, key, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'

const tools = [{ name: 'spawn-agent' }, { name: 'ask-question' }]

/** A session of an agent that may have others work for it, and its page; `says` tells it something. */
async function opened(page: Page) {
  const agentId = `foreman-${randomUUID().slice(0, 8)}`
  const config = { agentId, displayName: 'Foreman', chat: { tools } }
  expect((await page.request.post('/api/agents', { headers: key, data: config })).status()).toBe(201)
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: agentId }
  })
  await page.goto(`/sessions/${agentId}`)
  await expect(page.getByLabel('Message to Foreman')).toBeVisible()
  const says = (text: string) =>
    page.request.post(`/api/sessions/${agentId}/messages`, { headers: key, data: { text } })
  return { agentId, says }
}

const spawns = (task: string) => `use spawn-agent ${JSON.stringify({ task })}`

test('001-16: what a sub-agent asks is answered where its work was asked for, also after a reload, and its words come back', async ({
  page
}) => {
  const { agentId, says } = await opened(page)
  await says(`${spawns('use ask-question {"question": "Which bird?"}')}\n${spawns('count to 300')}`)
  const below = page.getByRole('region', { name: 'Sub-agents' })
  await expect(below.locator('[data-sub-agent]')).toHaveCount(2)
  await expect(below.getByRole('heading', { name: 'Which bird?' })).toBeVisible()
  await expect(page.locator('header').getByText('A sub-agent waits for you')).toBeVisible()
  // In the list there is the session that a person began, and what waits below it.
  const list = page.getByRole('link', { name: /A sub-agent waits for you/ })
  await expect(list).toHaveAttribute('href', `/sessions/${agentId}`)
  await looksWell(page)

  await page.reload()
  await below.getByRole('textbox').fill('The robin')
  await below.getByRole('button', { name: 'Send answer' }).click()
  await expect(below).toHaveCount(0)
  const row = page
    .locator('[data-row]')
    .filter({ has: page.getByRole('button', { name: /^spawn-agent/ }) })
    .first()
  await row.getByRole('button', { name: /^spawn-agent/ }).click()
  await expect(row.getByText('The robin')).toBeVisible()
  await row.getByRole('link', { name: 'All that it did' }).click()
  await expect(page).toHaveURL(/\/sessions\/sub_/)
  await expect(page.getByText('Which bird?').first()).toBeVisible()
  await page.locator('header').getByRole('link', { name: /^‹/ }).last().click()
  await expect(page).toHaveURL(new RegExp(`/sessions/${agentId}`))
})

test('001-16: a wait for a sub-agent leads to what it does, and is cancelled with it by keyboard', async ({
  page
}) => {
  const { says } = await opened(page)
  await says(spawns('use ask-question {"question": "Which bird?"}'))
  const row = page.locator('[data-row]').filter({ hasText: 'waits for a sub-agent' })
  await row.getByRole('button', { name: /^spawn-agent/ }).focus()
  await page.keyboard.press('Enter')
  await expect(row.getByRole('heading', { name: 'Waiting for Foreman' })).toBeVisible()
  await expect(row.getByRole('link', { name: 'Look at what it does' })).toHaveAttribute(
    'href',
    /^\/sessions\/sub_/
  )
  await row.getByRole('button', { name: /Cancel/ }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: /Cancel/ })
    .last()
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Sub-agents' })).toHaveCount(0)
  await expect(page.locator('[data-row]').filter({ hasText: /cancelled by/ })).toBeVisible()
})
