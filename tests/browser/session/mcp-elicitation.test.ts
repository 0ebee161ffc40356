import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { programThatAsks } from '#tests/support/asking-program.ts'
import { looksWell } from '#tests/support/looks-well.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'asking-'))
const booking = `
  const one = await form('Which flight shall I book for you?', {
    name: { type: 'string', title: 'Name', description: 'As in the passport', minLength: 2 },
    email: { type: 'string', format: 'email', title: 'E-mail' },
    seat: { type: 'string', title: 'Seat', oneOf: [{ const: 'a', title: 'Aisle' }, { const: 'w', title: 'Window' }] },
    bags: { type: 'integer', title: 'Bags', minimum: 0, maximum: 3 },
    extras: { type: 'array', title: 'Extras', items: { type: 'string', enum: ['Meal', 'Wi-Fi'] } },
    insured: { type: 'boolean', title: 'Insure it' }
  }, ['name', 'seat'])
  const two = await form('That is 240 €. Book it?', { sure: { type: 'boolean', title: 'Yes, book it' } })
  return { one, two }`

let server: TestServer
test.beforeAll(async () => {
  const path = join(folder, 'programs.json')
  writeFileSync(path, JSON.stringify({ servers: { flights: programThatAsks(booking) } }))
  server = await startServer({ WAYSTATION_MCP_STDIO: path })
})
test.afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const headers = () => ({ authorization: `Bearer ${server.apiKey}` })

/** A session whose agent has a server that asks. */
async function asked(page: Page, sessionId: string) {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  const chat = { model: 'demo/demo', tools: [{ mcp: 'flights', approval: 'auto' }] }
  const agent = { agentId: 'traveller', displayName: 'Traveller', chat }
  await page.request.post(`${server.url}/api/agents`, { data: agent, headers: headers() })
  await page.request.post(`${server.url}/api/plugins/sessions/operations/create`, {
    data: { agentId: 'traveller', sessionId },
    headers: headers()
  })
  await page.request.post(`${server.url}/api/sessions/${sessionId}/messages`, {
    data: { text: 'use flights__go {}' },
    headers: headers()
  })
  await page.goto(`${server.url}/sessions/${sessionId}`)
}

test('001-19: a server’s form is filled in by keyboard, says what does not fit at its field, is kept over a reload, and its next question is another card', async ({
  page
}) => {
  await asked(page, 'flights')
  const card = page.locator('[data-call][data-place="dock"]')
  await expect(card.getByRole('heading', { name: 'Which flight shall I book for you?' })).toBeVisible()
  await expect(card.getByText('flights asks, before flights__go goes on.')).toBeVisible()
  // In the server's order.
  expect(await card.locator('span.font-semibold').allTextContents()).toEqual([
    'Name',
    'E-mail',
    'Seat',
    'Bags',
    'Extras',
    'Insure it'
  ])
  await looksWell(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  await card.getByRole('button', { name: 'Send answer' }).click()
  await expect(card.getByLabel('Name')).toBeFocused()
  await expect(card.getByText('This is needed.')).toHaveCount(2)
  await page.keyboard.type('A')
  await card.getByLabel('Seat').selectOption('Window')
  await card.getByLabel('E-mail').fill('ada@example.com')
  await card.getByLabel('Bags').fill('7')
  await card.getByLabel('Wi-Fi').check()
  await page.reload()
  await expect(card.getByLabel('Bags')).toHaveValue('7')
  await expect(card.getByLabel('Wi-Fi')).toBeChecked()
  await card.getByLabel('Bags').press('ControlOrMeta+Enter')
  await expect(card.getByLabel('Bags')).toHaveAttribute('aria-invalid', 'true')
  await expect(card.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await expect(card.getByText('It is still open.')).toBeVisible()
  await card.getByLabel('Name').fill('Ada Lovelace')
  await card.getByLabel('Bags').fill('1')
  await card.getByLabel('Bags').press('ControlOrMeta+Enter')

  await expect(card.getByRole('heading', { name: 'That is 240 €. Book it?' })).toBeVisible()
  const sure = card.getByLabel('Yes, book it')
  await expect(sure).toBeEnabled()
  await sure.check()
  await card.getByRole('button', { name: 'Send answer' }).click()
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: /answered by Local owner/ }).click()
  await expect(page.getByText('Ada Lovelace').first()).toBeVisible()
  await looksWell(page)
})

test('001-19: a server’s question is declined with a reason, in one of two tabs, and the other one says so', async ({
  page,
  context
}) => {
  await asked(page, 'flights-declined')
  const other = await context.newPage()
  await other.goto(page.url())
  const cards = [page, other].map(tab => tab.locator('[data-call][data-place="dock"]'))
  for (const card of cards) await expect(card.getByRole('button', { name: 'Decline…' })).toBeVisible()
  await cards[0]?.getByRole('button', { name: 'Decline…' }).click()
  await page.keyboard.type('Too dear')
  await cards[0]?.getByRole('button', { name: 'Decline', exact: true }).click()
  for (const card of cards)
    await expect(card.getByRole('heading', { name: 'That is 240 €. Book it?' })).toBeVisible()
})
