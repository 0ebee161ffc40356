import type { ServerProcess } from '#tests/support/servers/start-server.ts'

type Answer = Record<string, unknown> & {
  session?: { status: string; waitingFor: { toolCallId: string; toolName: string }[] }
  messages?: { role: string; parts: { type: string; text?: string }[] }[]
}

/** Sends requests to a server's API with its admin key. Throws the error of the response. */
export function createApiClient({ url, apiKey }: Pick<ServerProcess, 'url' | 'apiKey'>) {
  const request = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const data = (await response.json()) as Answer
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(data)}`)
    return data
  }
  /** Calls `look` after each event of the session until it returns a value, and resolves with this value. */
  const watch = async <T>(sessionId: string, check: () => Promise<T | undefined>): Promise<T> => {
    const stop = new AbortController()
    const stream = await fetch(`${url}/api/sessions/${sessionId}/events?after=0`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: stop.signal
    })
    try {
      for await (const _ of stream.body ?? []) {
        const result = await check()
        if (result !== undefined) return result
      }
    } finally {
      stop.abort()
    }
    throw new Error(`The events of ${sessionId} ended before there was what was looked for.`)
  }
  return {
    get: (path: string) => request('GET', path),
    post: (path: string, body: unknown) => request('POST', path, body),
    watch,
    /** Resolves with the session when it has this status. */
    until: (sessionId: string, status: string) =>
      watch(sessionId, async () => {
        const data = await request('GET', `/sessions/${sessionId}`)
        return data.session?.status === status ? data : undefined
      }),
    async create(agentId: string, sessionId: string) {
      await request('POST', '/plugins/sessions/operations/create', { agentId, sessionId })
    }
  }
}
