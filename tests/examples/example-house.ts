import { afterAll, beforeAll } from 'vitest'
import { startServer, type TestServer } from '#tests/support/worlds/start-server.ts'

type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>
type Session = {
  session: { status: string; waitingFor: { toolCallId: string; toolName: string }[] }
  messages: { role: string; parts: { type: string; text?: string }[] }[]
}

/** A server of this test file that reaches its own machine, as the examples' README starts one. */
export function exampleHouse() {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({
      WAYSTATION_ROLE: 'all',
      WAYSTATION_EGRESS_ALLOW: 'localhost,127.0.0.1,::1'
    })
  })
  afterAll(() => server.stop())

  /** Asks by the admin key. Throws what it says when it refuses. */
  const api: Api = async (method, path, body) => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const said = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said}`)
    return JSON.parse(said)
  }
  const session = (sessionId: string) => api<Session>('GET', `/api/sessions/${sessionId}`)
  return {
    server: () => server,
    api,
    session,
    create: (agentId: string, sessionId: string) =>
      api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId }),
    say: (sessionId: string, text: string) => api('POST', `/api/sessions/${sessionId}/messages`, { text }),
    /** What the agent said so far: the text of each of its messages that has one. */
    async replies(sessionId: string): Promise<string[]> {
      const { messages } = await session(sessionId)
      return messages
        .filter(({ role }) => role === 'assistant')
        .map(({ parts }) => parts.map(({ text }) => text ?? '').join(''))
    }
  }
}
