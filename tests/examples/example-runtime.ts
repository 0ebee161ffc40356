import { afterAll, beforeAll } from 'vitest'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'

type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>
type Session = {
  session: { status: string; waitingFor: { toolCallId: string; toolName: string }[] }
  messages: { role: string; parts: { type: string; text?: string }[] }[]
}

/** Starts a server for this test file that can reach its own machine, like in the examples' README. */
export function startExampleServer() {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({
      WAYSTATION_ROLE: 'all',
      WAYSTATION_EGRESS_ALLOW: 'localhost,127.0.0.1,::1'
    })
  })
  afterAll(() => server.stop())

  /** Sends a request with the admin key. Throws the text of an error response. */
  const api: Api = async (method, path, body) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const session = (sessionId: string) => api<Session>('GET', `/api/sessions/${sessionId}`)
  return {
    server: () => server,
    api,
    session,
    create: (agentId: string, sessionId: string) =>
      api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId }),
    sendMessage: (sessionId: string, text: string) =>
      api('POST', `/api/sessions/${sessionId}/messages`, { text }),
    /** Returns the text of each of the agent's messages. */
    async replies(sessionId: string): Promise<string[]> {
      const { messages } = await session(sessionId)
      return messages
        .filter(({ role }) => role === 'assistant')
        .map(({ parts }) => parts.map(({ text }) => text ?? '').join(''))
    }
  }
}
