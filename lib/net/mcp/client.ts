import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Outbound } from '#lib/kernel/ctx.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import type { McpAnswers, McpTalk } from '#lib/kernel/ports/mcp-talk.ts'
import { liveResponse } from './live-response.ts'
import { capabilities, questionsOf } from './questions.ts'
import { sseTransport } from './sse-transport.ts'

type Asking = {
  url: string
  fetch: Outbound
  signal: AbortSignal
  version?: string
  maxBytes?: number
  /** What it is told when it asks people something; nothing is answered otherwise. */
  answers?: McpAnswers
}

const mostBytes = 2 * 1024 * 1024
/** The most requests of a server's own that are replied to in one conversation: a short one could make ten thousand. */
const mostReplies = 50
/** The most times that a server may close a stream before its answer in one conversation and have us ask again. */
const mostResumptions = 100

/**
 * Speaks with an MCP server over Streamable HTTP (2025-11-25), or over HTTP with SSE (2024-11-05) where its first request is
 * answered 400, 404 or 405, by the specification's "Backwards Compatibility": says hello, works, and ends the session. Which it
 * was is not remembered. Its requests are those of `fetch`, whose errors come out as they are; a redirect is an answer, and
 * never followed. A stream that the server closes before its answer is resumed by its last event's ID, after the time that the
 * server names ("Resumability and Redelivery"). Nothing listens for what it says by itself but what it asks people while it works (`answers`).
 */
export async function withMcp<T>(asking: Asking, work: (talk: McpTalk) => Promise<T>): Promise<T> {
  const streamable = overStreamable(asking)
  try {
    return await talked(asking, streamable, work)
  } catch (error) {
    if (!streamable.isRefused()) throw error
    const sse = overSse(asking)
    return talked(asking, sse, work).catch((later: unknown) => {
      // What does not speak that way either is told by what it said first.
      throw sse.isThere() ? later : error
    })
  }
}

/** A way to a server: `fault` is what its `fetch` threw first, and `broken` is aborted then. */
type Way = {
  transport: Transport
  fault: () => { error: unknown } | undefined
  broken?: AbortSignal
  end?: () => Promise<void>
}

async function talked<T>(asking: Asking, way: Way, work: (talk: McpTalk) => Promise<T>): Promise<T> {
  const { signal, answers = () => ({ action: 'decline' as const }) } = asking
  const client = new Client({ name: 'waystation', version: asking.version ?? '1' }, { capabilities })
  const during = questionsOf(client)
  // The library's own time is an upper bound: `signal` is ours.
  const options = { signal, timeout: 3_600_000 }
  try {
    await client.connect(way.transport, options)
    const until = way.broken === undefined ? signal : AbortSignal.any([signal, way.broken])
    return await during(answers, until, work)
  } catch (error) {
    // The library wraps or swallows what its `fetch` throws.
    const fault = way.fault()
    throw fault === undefined ? error : fault.error
  } finally {
    if (!signal.aborted) await way.end?.().catch(() => undefined)
    await client.close()
  }
}

function overStreamable({
  url,
  fetch,
  signal,
  maxBytes = mostBytes
}: Asking): Way & { isRefused: () => boolean } {
  let fault: { error: unknown } | undefined
  let first: number | undefined
  let resumptions = 0
  const broken = new AbortController()
  const fails = (error: unknown): never => {
    fault ??= { error }
    broken.abort()
    throw error
  }
  const replies = repliesOf()
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    // How long to wait before a stream is resumed, where the server does not say (`retry`).
    reconnectionOptions: {
      maxRetries: 1,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1
    },
    fetch: async (address, init = {}) => {
      const resumes = init.method === 'GET' && new Headers(init.headers).has('last-event-id')
      // The stream of messages that a server sends on its own: as if it had none.
      if (init.method === 'GET' && !resumes) return new Response(null, { status: 405 })
      if (resumes && ++resumptions > mostResumptions)
        return fails(new Error(`The server closed its stream ${mostResumptions} times before it responded.`))
      const { method = 'POST', body } = init
      const said = typeof body === 'string' ? body : undefined
      if (said !== undefined && replies.isTooMany(said)) return new Response(null, { status: 202 })
      const call = said !== undefined && isToolCall(said)
      return liveResponse(async heard => {
        try {
          const answer = await fetch(String(address), {
            method,
            headers: Object.fromEntries(new Headers(init.headers)),
            ...(said === undefined ? {} : { body: said }),
            changes: call,
            redirect: 'manual',
            maxBytes,
            signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
            // What it asks meanwhile is answered before the call is.
            ...(call || resumes ? { heard } : {})
          })
          first ??= answer.status
          if (resumes && answer.status !== 200)
            throw new ToolError(
              `The server closed its stream before it responded, and then returned ${answer.status}.`
            )
          return answer
        } catch (error) {
          return fails(error)
        }
      })
    }
  })
  return {
    // Its declaration leaves `sessionId` open, which the interface's does not.
    transport: transport as Transport,
    fault: () => fault,
    broken: broken.signal,
    isRefused: () => first === 400 || first === 404 || first === 405,
    async end() {
      if (transport.sessionId !== undefined) await transport.terminateSession()
    }
  }
}

function overSse({ url, fetch, signal, maxBytes = mostBytes }: Asking): Way & { isThere: () => boolean } {
  let fault: { error: unknown } | undefined
  let heardAny = false
  const closing = new AbortController()
  const replies = repliesOf()
  const until = AbortSignal.any([signal, closing.signal])
  const ask: Outbound = async (address, init) => {
    try {
      return await fetch(address, { ...init, redirect: 'manual', maxBytes, signal: until })
    } catch (error) {
      if (!closing.signal.aborted) fault ??= { error }
      throw error
    }
  }
  const transport = sseTransport(url, {
    listen: (address, heard) =>
      ask(address, {
        headers: { accept: 'text/event-stream' },
        timeout: 3_600_000,
        heard(piece) {
          heardAny = true
          heard(piece)
        }
      }),
    post: async (address, body) =>
      replies.isTooMany(body)
        ? { status: 202 }
        : ask(address, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
            changes: isToolCall(body)
          })
  })
  return {
    transport,
    fault: () => fault,
    isThere: () => heardAny || fault !== undefined,
    end: async () => closing.abort()
  }
}

/** Only that may change anything at the server. */
const isToolCall = (body: string): boolean => body.includes('"tools/call"')

/**
 * Says which of our replies to what a server asks by itself are not sent: those that tell it nothing (to a ping), and all after
 * the first fifty.
 */
function repliesOf() {
  let sent = 0
  return {
    isTooMany(body: string): boolean {
      const reply = replyIn(body)
      if (reply === undefined) return false
      const isTold = 'error' in reply || Object.keys(reply.result ?? {}).length > 0
      return !isTold || ++sent > mostReplies
    }
  }
}

/** JSON-RPC 2.0: requests and notifications have a `method`, replies have none. */
function replyIn(body: string): { result?: object } | undefined {
  const message: unknown = JSON.parse(body)
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined
  return 'method' in message ? undefined : message
}
