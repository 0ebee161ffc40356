import type { OobPolicy, SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import { test as base, expect, type Page } from '#tests/browser/test.ts'

export * from '#tests/browser/test.ts'

/** The sender of every message that a test does not say otherwise of. */
export const ci = { source: 'external', sourceId: 'ci' } as const

/** Sessions of one agent that get out-of-band messages. */
type Told = {
  /** Creates a session with this title; its ID is returned. It is deleted when the test ends. */
  create(name: string, title: string): Promise<string>
  tell(sessionId: string, content: string, more?: Partial<SendOob>): Promise<{ id: string }>
  setPolicy(sessionId: string, policy: Partial<OobPolicy>): Promise<unknown>
  policyOf(sessionId: string): Promise<OobPolicy>
  /** Sends a message to the agent, and waits until the session is idle. */
  says(sessionId: string, text: string): Promise<void>
}

/** The browser's test on a server of this folder's own: the page shows every message of the workspace. */
export const test = base.extend<{ told: Told }>({
  serverOptions: [
    // Playwright reads the names of the fixtures from this pattern; there are none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      await use({ own: 'out-of-band', settings: { WAYSTATION_LIMIT_OUT_OF_BAND: '1000' } })
    },
    { scope: 'worker' }
  ],

  told: async ({ api, id }, use) => {
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
      tell: (sessionId, content, more = {}) =>
        api('POST', `/api/sessions/${sessionId}/oob`, { content, sourceId: 'ci', ...more }),
      setPolicy: (sessionId, policy) => api('PUT', `/api/sessions/${sessionId}/oob/policy`, policy),
      policyOf: async sessionId =>
        (await api<{ oobPolicy: OobPolicy }>('GET', `/api/sessions/${sessionId}`)).oobPolicy,
      async says(sessionId, text) {
        await api('POST', `/api/sessions/${sessionId}/messages`, { text, whenBusy: 'queue' })
        const status = async () => (await api<{ status: string }>('GET', `/api/sessions/${sessionId}`)).status
        await expect.poll(status).toBe('idle')
      }
    })
    for (const sessionId of created)
      await api('POST', '/api/plugins/sessions/operations/delete', { sessionId })
  }
})

/** What has the agent send this to another session. */
export const sendsTo = (sessionId: string, content: string) =>
  `use send_out_of_band ${JSON.stringify({ sessionId, content, priority: 'high' })}`

/** The messages that are held in the open session. */
export const held = (page: Page) => page.locator('[data-held] [data-held-message]')

/** Opens the dialog of what the open session lets in. */
export async function openPolicy(page: Page) {
  await page.getByTestId('session-menu').click()
  await page.getByTestId('open-policy').click()
  return page.getByRole('dialog')
}

/** The rows of who told whom, the newest first. */
export const edges = (page: Page) => page.getByTestId('told-edges').locator('> li')
