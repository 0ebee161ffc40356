import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { CreatedWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import { test as base, expect } from '#tests/browser/test.ts'

export * from '#tests/browser/test.ts'

type Links = {
  /** Starts a session whose agent asks this. Returns the link to the answer page from the webhook. */
  ask(name: string, text: string): Promise<string>
}

/** Test with a webhook that receives links to answer pages. No user is signed in. */
export const test = base.extend<{ links: Links }>({
  signedIn: false,
  links: async ({ api, id }, use) => {
    /** The received links to answer pages, by session. */
    const received = new Map<string, string>()
    const externalSystem = createServer(async (request, response) => {
      const { data } = JSON.parse(await text(request)) as { data: { sessionId: string; answerPage?: string } }
      if (data.answerPage !== undefined) received.set(data.sessionId, data.answerPage)
      response.end('ok')
    })
    await new Promise<void>(resolve => externalSystem.listen(0, '127.0.0.1', resolve))
    const { port } = externalSystem.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/hook`
    const { webhook } = await api<CreatedWebhook>('POST', '/api/webhooks', {
      url,
      events: ['call.opened']
    })
    await use({
      async ask(name, text) {
        const sessionId = id(name)
        const session = { agentId: 'guide', sessionId, title: `Order ${name}` }
        await api('POST', '/api/plugins/sessions/operations/create', session)
        await api('POST', `/api/sessions/${sessionId}/messages`, { text })
        await expect.poll(() => received.get(sessionId)).toBeDefined()
        return received.get(sessionId) ?? ''
      }
    })
    await api('DELETE', `/api/webhooks/${webhook.webhookId}`)
    externalSystem.closeAllConnections()
    externalSystem.close()
  }
})
