import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'
import { startChild } from './child.ts'

/** A real server whose agents use the model server of `model-server.ts`, and a client of its API. */
export type ClockServer = AsyncDisposable & {
  server: ServerProcess
  /** The base URL of the model server's API. */
  modelUrl: string
  /** Creates sessions of the agent `guide` with these IDs. */
  createSessions(ids: readonly string[]): Promise<void>
  /** Sends a message and resolves once it was accepted. */
  send(sessionId: string): Promise<void>
}

/** @param speed words a second of the model, and the duration of its answers in seconds */
export async function startClockServer(
  databaseUrl: string,
  speed: { perSecond: number; seconds: number },
  settings: Record<string, string> = {}
): Promise<ClockServer> {
  const model = await startChild('model-server.ts', [`${speed.perSecond}`, `${speed.seconds}`])
  const modelUrl = `${model.url}/v1`
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: 'none',
    ...settings
  })
  const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    await response.body?.cancel()
  }
  return {
    server,
    modelUrl,
    async createSessions(ids) {
      for (const sessionId of ids)
        await post('/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
    },
    send: sessionId => post(`/api/sessions/${sessionId}/messages`, { text: 'Speak, clock.' }),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await model[Symbol.asyncDispose]()
    }
  }
}
