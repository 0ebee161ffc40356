import { randomUUID } from 'node:crypto'
import { expect, key, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'

const tools = [{ name: 'alarm-clock' }, { name: 'list-alarms' }, { name: 'cancel-alarm' }]

/** A session of an agent that may set alarms, and its page. */
async function opened(page: Page) {
  const agentId = `warden-${randomUUID().slice(0, 8)}`
  const config = { agentId, displayName: 'Warden', chat: { tools } }
  expect((await page.request.post('/api/agents', { headers: key, data: config })).status()).toBe(201)
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: agentId }
  })
  await page.goto(`/sessions/${agentId}`)
  await expect(page.getByLabel('Message to Warden')).toBeVisible()
  const sets = (...inputs: object[]) =>
    page.request.post(`/api/sessions/${agentId}/messages`, {
      headers: key,
      data: {
        text: inputs.map(input => `use alarm-clock ${JSON.stringify(input)}`).join('\n'),
        whenBusy: 'queue'
      }
    })
  return { sets }
}

const inMinutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString()
const rows = (page: Page) => page.getByRole('region', { name: 'Alarms' }).locator('[data-alarm]')

test('001-20: the alarms of a session stand above the composer, the next one first, and are cancelled by keyboard', async ({
  page
}) => {
  const { sets } = await opened(page)
  await sets(
    { wakeAtISO: inMinutes(3 * 24 * 60), reminderMessage: 'Ask how it went' },
    { wakeAtISO: inMinutes(90), repeatIntervalMinutes: 60, reminderMessage: 'Look at the build' },
    { cron: '0 9 1 1 *', timeZone: 'UTC' }
  )
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(/^Wakes .*every hour · Look at the build/)
  await page.getByRole('button', { name: '2 more alarms' }).press('Enter')
  await expect(rows(page)).toHaveCount(3)
  await expect(
    page.getByRole('button', { name: /alarm-clock .*every hour · Look at the build/ })
  ).toBeVisible()
  await looksWell(page)
  await page.getByRole('button', { name: /^Cancel the alarm: .*Look at the build$/ }).press('Enter')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText('Ask how it went')
  await page.reload()
  await expect(rows(page)).toContainText('Ask how it went')
  await page.getByRole('button', { name: /^Cancel the alarm: .*Ask how it went$/ }).press('Enter')
  await expect(rows(page)).toContainText('by cron 0 9 1 1 *, UTC')
  await page.getByRole('button', { name: /^Cancel the alarm: / }).press('Enter')
  await expect(page.getByRole('region', { name: 'Alarms' })).toBeHidden()
  await expect(page.getByLabel('Message to Warden')).toBeFocused()
})

test('001-20: what goes off while somebody looks appears as sent by the alarm clock, and its row is gone', async ({
  page
}) => {
  const { sets } = await opened(page)
  await sets({
    wakeAtISO: new Date(Date.now() + 6000).toISOString(),
    reminderMessage: 'say The kettle boils.'
  })
  await expect(rows(page)).toContainText('The kettle boils.')
  await expect(
    page.getByRole('paragraph').filter({ hasText: '[Alarm Clock] say The kettle boils.' })
  ).toBeVisible()
  await expect(page.getByText('Alarm clock', { exact: true })).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
})
