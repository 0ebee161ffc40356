import type { OobPolicy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { test as base, expect, type Page } from '#tests/browser/test.ts'

export * from '#tests/browser/test.ts'

/** The default sender of messages in these tests. */
export const ci = { source: 'external', sourceId: 'ci' } as const

/** Sessions of one agent that receive out-of-band messages. */
type OutOfBandSessions = {
  /** Creates a session with this title, which is deleted after the test. Returns its ID. */
  create(name: string, title: string): Promise<string>
  send(sessionId: string, content: string, more?: Partial<SendOob>): Promise<{ id: string }>
  setPolicy(sessionId: string, policy: Partial<OobPolicy>): Promise<unknown>
  policyOf(sessionId: string): Promise<OobPolicy>
  /** Sends a message to the agent and waits until the session is idle. */
  sendMessage(sessionId: string, text: string): Promise<void>
}

/** Test with a server for this folder only, because the page shows every message of the workspace. */
export const test = base.extend<{ outOfBand: OutOfBandSessions }>({
  serverOptions: [
    // Playwright reads the fixtures that are needed from this pattern. This one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      await use({ own: 'out-of-band', settings: { WAYSTATION_LIMIT_OUT_OF_BAND: '1000' } })
    },
    { scope: 'worker' }
  ],

  outOfBand: async ({ api, id }, use) => {
    const created: string[] = []
    const agentId = id('crew')
    const tools = [{ name: 'send_out_of_band' }, { name: 'ask-question' }]
    await api('POST', '/api/agents', { agentId, displayName: 'Crew', chat: { tools } })
    await use({
      async create(name, title) {
        const sessionId = id(name)
        await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId, title })
        created.push(sessionId)
        return sessionId
      },
      send: (sessionId, content, more = {}) =>
        api('POST', `/api/sessions/${sessionId}/oob`, { content, sourceId: 'ci', ...more }),
      setPolicy: (sessionId, policy) => api('PUT', `/api/sessions/${sessionId}/oob/policy`, policy),
      policyOf: sessionId => api<OobPolicy>('GET', `/api/sessions/${sessionId}/oob/policy`),
      async sendMessage(sessionId, text) {
        await api('POST', `/api/sessions/${sessionId}/messages`, { text, whenBusy: 'queue' })
        const status = async () => (await api<{ status: string }>('GET', `/api/sessions/${sessionId}`)).status
        await expect.poll(status).toBe('idle')
      }
    })
    for (const sessionId of created)
      await api('POST', '/api/plugins/sessions/operations/delete', { sessionId })
  }
})

/** Returns a message that makes the agent send this to another session. */
export const sendToMessage = (sessionId: string, content: string) =>
  `use send_out_of_band ${JSON.stringify({ sessionId, content, priority: 'high' })}`

/** Returns the held messages in the open session. */
export const heldMessages = (page: Page) => page.locator('[data-held] [data-held-message]')

/** Opens the dialog with the out-of-band policy of the open session. */
export async function openPolicy(page: Page) {
  await page.getByTestId('session-menu').click()
  await page.getByTestId('open-policy').click()
  return page.getByRole('dialog')
}

/** Returns the rows of senders and receivers, newest first. */
export const edges = (page: Page) => page.getByTestId('told-edges').locator('> li')
