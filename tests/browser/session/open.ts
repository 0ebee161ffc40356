import type { Page } from '@playwright/test'
import { type Api, expect } from '#tests/browser/test.ts'
import type { ExternalSystem } from './test.ts'

/** Creates a session and opens its page. */
export async function openSession(page: Page, api: Api, session: Record<string, string>): Promise<void> {
  await api('POST', '/api/plugins/sessions/operations/create', session)
  await page.goto(`/sessions/${session.sessionId}`)
  await expect(page.locator('[data-composer]')).toBeVisible()
}

/** Sends a message through the API, which is queued if the session is busy. */
export const sendByApi = (api: Api, sessionId: string, text: string) =>
  api('POST', `/api/sessions/${sessionId}/messages`, { text, whenBusy: 'queue' })

/** Writes a message on the page and sends it with the keyboard. */
export async function typeMessage(page: Page, text: string): Promise<void> {
  await page.locator('[data-composer]').fill(text)
  await page.keyboard.press('ControlOrMeta+Enter')
}

/**
 * Opens a session whose agent sets alarms. Agent and session have the same ID. Returns a function that sets alarms.
 */
export async function openAlarms(page: Page, api: Api, agentId: string) {
  const tools = [{ name: 'alarm-clock' }, { name: 'list-alarms' }, { name: 'cancel-alarm' }]
  await api('POST', '/api/agents', { agentId, displayName: 'Warden', chat: { tools } })
  await openSession(page, api, { agentId, sessionId: agentId })
  return (...alarms: object[]) =>
    sendByApi(api, agentId, alarms.map(input => `use alarm-clock ${JSON.stringify(input)}`).join('\n'))
}

/** Returns three alarms. The last one in this list goes off first. */
export const threeAlarms = () => [
  { wakeAtISO: inMinutes(3 * 24 * 60), reminderMessage: 'Ask how it went' },
  { cron: '0 9 1 1 *', timeZone: 'UTC' },
  { wakeAtISO: inMinutes(90), repeatIntervalMinutes: 60, reminderMessage: 'Look at the build' }
]

const inMinutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString()

/** Opens an idle session whose small context was compacted. Returns the row of its newest summary, expanded. */
export async function openCompacted(page: Page, api: Api, agentId: string) {
  const chat = { tools: [{ name: 'summary' }], limits: { contextTokens: 4000 } }
  await api('POST', '/api/agents', { agentId, displayName: 'Terse', chat })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId: agentId })
  for (let n = 0; n < 12; n++) await sendByApi(api, agentId, `say Order ${n} is ${'long'.repeat(250)}`)
  await page.goto(`/sessions/${agentId}`)
  await expect(page.getByRole('paragraph').filter({ hasText: /^Order 11 is/ })).toBeVisible()
  // The session is also idle between two turns, and the next turn can compact it again.
  await expect.poll(() => statusOf(api, agentId)).toBe('idle')
  const row = page.locator('[data-compaction]').last()
  await row.locator('[data-toggle]').click()
  return row
}

const statusOf = async (api: Api, sessionId: string) =>
  (await api<{ session: { status: string } }>('GET', `/api/sessions/${sessionId}`)).session.status

/** Opens a session with a message that was sent to the model once and is no longer sent. */
export async function openNotSent(page: Page, api: Api, sessionId: string): Promise<void> {
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: 'say The code is 4711.', duration: 1 })
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.getByTestId('row-not-sent')).toBeVisible()
}

/** Opens a session whose agent can hand it off to another agent. Returns the ID of the other agent. */
export async function openHandoff(page: Page, api: Api, id: (name: string) => string): Promise<string> {
  const [front, back] = [id('front-desk'), id('back-office')]
  const chat = { handoffs: [back] }
  await api('POST', '/api/agents', { agentId: front, displayName: 'Front desk', chat })
  const other = { agentId: back, displayName: 'Back office', description: 'Knows the files.', chat: {} }
  await api('POST', '/api/agents', other)
  await openSession(page, api, { agentId: front, sessionId: front })
  return back
}

/** Opens the dialog that hands off the session. */
export async function openHandoffDialog(page: Page) {
  await page.getByTestId('session-menu').click()
  await page.getByTestId('open-handoff').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('radio').first()).toBeVisible()
  return dialog
}

/** Opens a session in which the MCP server `flights` asks its first question. Returns its card. */
export async function openQuestion(page: Page, api: Api, sessionId: string) {
  const chat = { model: 'demo/demo', tools: [{ mcp: 'flights', tools: ['go'], approval: 'auto' }] }
  await api('POST', '/api/agents', { agentId: sessionId, displayName: 'Traveller', chat })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: sessionId, sessionId })
  await sendByApi(api, sessionId, 'use flights__go {}')
  await page.goto(`/sessions/${sessionId}`)
  const card = dockCard(page)
  await expect(card.getByTestId('elicitation')).toBeVisible()
  return card
}

export const dockCard = (page: Page) => page.locator('[data-call][data-place="dock"]')

/** Creates an external agent with this ID and the name "Acme office". */
export const createExternal = (api: Api, agentId: string, { inputUrl }: Pick<ExternalSystem, 'inputUrl'>) =>
  api('POST', '/api/agents', {
    agentId,
    displayName: 'Acme office',
    type: 'external',
    external: { inputUrl, retries: 0 }
  })

/** Creates a wiki with two pages. The returned function rewrites the page "Soup". */
export async function createWiki(api: Api, name: string) {
  await api('POST', '/api/wikis', { name })
  const createSoupItem = (text: string) =>
    api('POST', `/api/wikis/${name}/import?file=a.json`, [
      { title: 'Soup', text },
      { title: 'Bread', text: 'Flour.' }
    ])
  await createSoupItem('Leek.')
  return createSoupItem
}
