import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { test as base, expect, type Page } from '#tests/browser/test.ts'

export * from '#tests/browser/test.ts'

type WaitingSessions = {
  /** Creates a session, which is deleted after the test. Returns its ID. */
  createSession(name: string, agentId?: string): Promise<string>
  /** Creates a session, sends this message, and resolves with the ID once the session has a pending call. */
  startSession(name: string, text: string, agentId?: string): Promise<string>
  /** Creates an agent with a question, an approval and an external tool. `answer` sets who can answer. */
  createAgent(name: string, answer?: object): Promise<string>
  /** Returns the pending calls of this session. */
  calls(sessionId: string): Promise<WaitingCall[]>
}

/** Test with a server for this folder only, because the page shows all pending requests of the workspace. */
export const test = base.extend<{ waiting: WaitingSessions }>({
  serverOptions: [
    // Playwright reads the fixtures that are needed from this pattern. This one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      await use({ own: 'waiting' })
    },
    { scope: 'worker' }
  ],

  waiting: async ({ api, id }, use) => {
    const created: string[] = []
    const calls = async (sessionId: string) => {
      const { calls } = await api<{ calls: WaitingCall[] }>('GET', '/api/waiting')
      return calls.filter(call => call.sessionId === sessionId)
    }
    const create = async (name: string, agentId = 'guide') => {
      const sessionId = id(name)
      const session = { agentId, sessionId, title: `Order ${name}` }
      await api('POST', '/api/plugins/sessions/operations/create', session)
      created.push(sessionId)
      return sessionId
    }
    await use({
      calls,
      createSession: create,
      async startSession(name, text, agentId) {
        const sessionId = await create(name, agentId)
        await api('POST', `/api/sessions/${sessionId}/messages`, { text })
        await expect.poll(async () => (await calls(sessionId)).length).toBeGreaterThan(0)
        return sessionId
      },
      async createAgent(name, answer) {
        const agentId = id(name)
        const tools = [
          { name: 'ask-question' },
          { name: 'web-fetch', approval: 'ask', deadlineSeconds: 86_400 },
          {
            name: 'dispatch',
            where: 'external',
            title: 'Acme dispatcher',
            description: 'Dispatches.',
            inputSchema: { type: 'object' },
            url: 'https://acme.example/orders'
          }
        ]
        const chat = { tools, ...(answer && { answer }) }
        await api('POST', '/api/agents', { agentId, displayName: agentId, chat })
        return agentId
      }
    })
    for (const sessionId of created)
      await api('POST', '/api/plugins/sessions/operations/delete', { sessionId })
  }
})

/** Returns a message that makes the agent ask to fetch this page. */
export const fetchMessage = (url: string) => `use web-fetch ${JSON.stringify({ url })}`

/** A message that makes the agent call the external tool. */
export const dispatchMessage = 'use dispatch {"order": "oil"}'

export const rows = (page: Page) => page.locator('#waits > li')

/** Returns the row of the session with this title. */
export const row = (page: Page, name: string) =>
  rows(page).filter({ has: page.getByText(`Order ${name}`, { exact: true }) })

/** The open request: the last turns of its session, and its card. */
export const detail = (page: Page) => page.getByTestId('request')

/** Opens the page of pending requests. */
export async function openWaiting(page: Page) {
  await page.goto('/waiting')
  await expect(rows(page).first()).toBeVisible()
}
