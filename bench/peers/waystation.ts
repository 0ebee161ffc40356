import { EventSourceParserStream } from 'eventsource-parser/stream'
import { startServer } from '#tests/support/servers/start-server.ts'
import type { Outcome, Peer } from './peer.ts'

/** The fields of the events `call` and `status` that are needed here (docs/api.md). */
type Event = {
  type: string
  call?: { toolCallId: string }
  outcome?: Outcome | 'failed'
  error?: { message: string }
}

/**
 * This server. A client of a session keeps one event stream open, like the browser. The tool is `web-fetch`, because no
 * tool of ours does nothing: unlike the others, each approved call costs us a request.
 */
export const waystation: Peer = {
  name: 'Waystation',
  stores: 'every message, step, call and event in Postgres',
  packages: {},
  files: () => ({}),
  async start({ databaseUrl, modelUrl }) {
    const server = await startServer({
      DATABASE_URL: databaseUrl,
      OPENAI_BASE_URL: modelUrl,
      OPENAI_API_KEY: 'none',
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1'
    })
    const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
    const waiters = new Map<string, PromiseWithResolvers<Outcome>>()
    const followers = new Map<string, Promise<never>>()
    const calls = new Map<string, string>()
    const closing = new AbortController()
    const post = async (path: string, body: object) => {
      const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as { result?: { sessionId: string } }
    }
    const outcomeOf = (sessionId: string) => {
      const waiter = Promise.withResolvers<Outcome>()
      waiters.set(sessionId, waiter)
      return Promise.race([waiter.promise, followers.get(sessionId) as Promise<never>])
    }
    const follow = async (sessionId: string): Promise<never> => {
      const url = `${server.url}/api/sessions/${sessionId}/events?after=0`
      const { body } = await fetch(url, { headers, signal: closing.signal })
      const events = (body ?? new ReadableStream())
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())
      for await (const { data } of events) {
        const { type, call, outcome, error } = JSON.parse(data) as Event
        if (call !== undefined) calls.set(sessionId, call.toolCallId)
        if (type !== 'status' || outcome === undefined) continue
        if (outcome === 'failed') waiters.get(sessionId)?.reject(new Error(error?.message))
        else waiters.get(sessionId)?.resolve(outcome)
      }
      throw new Error(`The event stream of ${sessionId} ended.`)
    }
    await post('/api/agents', {
      agentId: 'deployer',
      displayName: 'Deployer',
      type: 'chat',
      chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] }
    })
    return {
      pid: server.process.pid ?? 0,
      async createSession() {
        const created = await post('/api/plugins/sessions/operations/create', { agentId: 'deployer' })
        const sessionId = created.result?.sessionId ?? ''
        const follower = follow(sessionId)
        // Its error is thrown where an outcome is awaited.
        follower.catch(() => undefined)
        followers.set(sessionId, follower)
        return sessionId
      },
      async send(sessionId, text) {
        const outcome = outcomeOf(sessionId)
        await post(`/api/sessions/${sessionId}/messages`, { text })
        return await outcome
      },
      async approve(sessionId) {
        const outcome = outcomeOf(sessionId)
        await post(`/api/sessions/${sessionId}/calls/${calls.get(sessionId)}/answer`, { approved: true })
        await outcome
      },
      async [Symbol.asyncDispose]() {
        closing.abort()
        await server.stop()
      }
    }
  }
}
