import type { TestServer } from '#tests/support/worlds/start-server.ts'

type Answer = Record<string, unknown> & {
  session?: { status: string; waitingFor: { toolCallId: string; toolName: string }[] }
  messages?: { role: string; parts: { type: string; text?: string }[] }[]
}

/** Asks a server's API by its admin key, over HTTP. Throws what it says when it refuses. */
export function talkTo({ url, apiKey }: Pick<TestServer, 'url' | 'apiKey'>) {
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer = (await response.json()) as Answer
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
  /** Resolves with what `look` finds, as soon as it finds something: it looks again at each event of the session. */
  const watch = async <T>(sessionId: string, look: () => Promise<T | undefined>): Promise<T> => {
    const stop = new AbortController()
    const stream = await fetch(`${url}/api/sessions/${sessionId}/events?after=0`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: stop.signal
    })
    try {
      for await (const _ of stream.body ?? []) {
        const found = await look()
        if (found !== undefined) return found
      }
    } finally {
      stop.abort()
    }
    throw new Error(`The events of ${sessionId} ended before there was what was looked for.`)
  }
  return {
    get: (path: string) => ask('GET', path),
    post: (path: string, body: unknown) => ask('POST', path, body),
    watch,
    /** A session once it has this status. */
    until: (sessionId: string, status: string) =>
      watch(sessionId, async () => {
        const answer = await ask('GET', `/sessions/${sessionId}`)
        return answer.session?.status === status ? answer : undefined
      }),
    async create(agentId: string, sessionId: string) {
      await ask('POST', '/plugins/sessions/operations/create', { agentId, sessionId })
    }
  }
}
