import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolError } from '@waystation/base/known-error.ts'
import type { Outbound, OutboundResponse } from '@waystation/egress'
import {
  type KeepSession,
  type McpAnswers,
  type McpConnection,
  type McpSession,
  SessionForgotten
} from './contract.ts'
import { liveResponse } from './live-response.ts'
import { capabilities, questionsOf } from './questions.ts'
import { sseTransport } from './sse-transport.ts'

type ClientOptions = {
  url: string
  fetch: Outbound
  signal: AbortSignal
  version?: string
  maxBytes?: number
  /** Answers the server's questions to users. By default they are declined. */
  answers?: McpAnswers
  /** Default: the session ends with the connection. Ignored for HTTP with SSE, whose sessions end with their stream. */
  session?: KeepSession
}

const defaultMaxBytes = 2 * 1024 * 1024
/**
 * Maximum number of replies to a server's own requests per connection. Without a limit, a short response could cause
 * ten thousand replies.
 */
const maxReplies = 50
/** How many times per connection a server can close a stream before it responds, so that we resume it. */
const maxResumptions = 100

/**
 * Runs `work` with a connection to an MCP server, and closes it afterwards. It uses Streamable HTTP (2025-11-25). If
 * the first request returns 400, 404 or 405, it falls back to HTTP with SSE (2024-11-05), as "Backwards Compatibility"
 * in the specification requires. The choice is not remembered.
 * Errors of `fetch` are thrown unchanged. A redirect is a response and is never followed. If the server closes a stream
 * before it responds, the stream is resumed from its last event's ID, after the delay that the server requests
 * ("Resumability and Redelivery"). Messages that the server sends on its own are ignored, except questions to users
 * during `work` (`answers`).
 * With `session`, the connection continues a stored session, without the first handshake. Throws `SessionForgotten` if
 * the server returns 404 to it, or 400 with a text about sessions, as some servers do.
 */
export async function withMcp<T>(
  options: ClientOptions,
  work: (talk: McpConnection) => Promise<T>
): Promise<T> {
  const streamable = overStreamable(options)
  try {
    return await converse(options, streamable, work)
  } catch (error) {
    if (options.session?.stored !== undefined) throw streamable.isForgotten() ? new SessionForgotten() : error
    if (!streamable.isRefused()) throw error
    const sse = overSse(options)
    return converse(options, sse, work).catch((sseError: unknown) => {
      // A server that does not support SSE either is reported by its first error.
      throw sse.isThere() ? sseError : error
    })
  }
}

/** A transport to a server. `fetchError` returns the first error of its `fetch`, which also aborts `broken`. */
type Connection = {
  transport: Transport
  /** The session that the server opened. */
  session?: () => McpSession | undefined
  fetchError: () => { error: unknown } | undefined
  broken?: AbortSignal
  end?: () => Promise<void>
}

async function converse<T>(
  options: ClientOptions,
  connection: Connection,
  work: (talk: McpConnection) => Promise<T>
): Promise<T> {
  const { signal, answers = () => ({ action: 'decline' as const }), session: keep } = options
  const client = new Client({ name: 'waystation', version: options.version ?? '1' }, { capabilities })
  const runWith = questionsOf(client)
  // The library needs a timeout. It is only an upper bound, because `signal` decides.
  const requestOptions = { signal, timeout: 3_600_000 }
  try {
    await client.connect(connection.transport, requestOptions)
    if (keep !== undefined && keep.stored === undefined) await keep.opened(connection.session?.())
    const stopSignal = connection.broken === undefined ? signal : AbortSignal.any([signal, connection.broken])
    return await runWith(answers, stopSignal, work)
  } catch (error) {
    // The library wraps or swallows errors of its `fetch`.
    const fetchError = connection.fetchError()
    throw fetchError === undefined ? error : fetchError.error
  } finally {
    if (!signal.aborted) await connection.end?.().catch(() => undefined)
    await client.close()
  }
}

function overStreamable({
  url,
  fetch,
  signal,
  maxBytes = defaultMaxBytes,
  session: keep
}: ClientOptions): Connection & { isRefused: () => boolean; isForgotten: () => boolean } {
  let fetchError: { error: unknown } | undefined
  let firstStatus: number | undefined
  let forgotten = false
  let resumptions = 0
  const broken = new AbortController()
  const fail = (error: unknown): never => {
    fetchError ??= { error }
    broken.abort()
    throw error
  }
  const replies = replyLimit()
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    ...(keep?.stored === undefined ? {} : { sessionId: keep.stored.id }),
    // The delay before a stream is resumed, if the server does not set one (`retry`).
    reconnectionOptions: {
      maxRetries: 1,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1
    },
    fetch: async (address, init = {}) => {
      const resumes = init.method === 'GET' && new Headers(init.headers).has('last-event-id')
      // The client would open a stream for messages that a server sends on its own. Respond as if the server had none.
      if (init.method === 'GET' && !resumes) return new Response(null, { status: 405 })
      if (resumes && ++resumptions > maxResumptions)
        return fail(new Error(`The server closed its stream ${maxResumptions} times before it responded.`))
      const { method = 'POST', body } = init
      const requestBody = typeof body === 'string' ? body : undefined
      if (requestBody !== undefined && replies.isTooMany(requestBody))
        return new Response(null, { status: 202 })
      const isCall = requestBody !== undefined && isToolCall(requestBody)
      return liveResponse(async onPiece => {
        try {
          const response = await fetch(String(address), {
            method,
            headers: Object.fromEntries(new Headers(init.headers)),
            ...(requestBody === undefined ? {} : { body: requestBody }),
            changes: isCall,
            redirect: 'manual',
            maxBytes,
            signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
            // The server's questions must be answered before it responds to the call.
            ...(isCall || resumes ? { onData: onPiece } : {})
          })
          forgotten ||= firstStatus === undefined && isUnknownSession(response)
          firstStatus ??= response.status
          if (resumes && response.status !== 200)
            throw new ToolError(
              `The server closed its stream before it responded, and then returned ${response.status}.`
            )
          return response
        } catch (error) {
          return fail(error)
        }
      })
    }
  })
  if (keep?.stored !== undefined) transport.setProtocolVersion(keep.stored.protocolVersion)
  return {
    // The class declares `sessionId` differently from the interface.
    transport: transport as Transport,
    fetchError: () => fetchError,
    broken: broken.signal,
    isRefused: () => firstStatus === 400 || firstStatus === 404 || firstStatus === 405,
    isForgotten: () => forgotten,
    session() {
      const { sessionId: id, protocolVersion } = transport
      return id === undefined || protocolVersion === undefined ? undefined : { id, protocolVersion }
    },
    async end() {
      if (keep === undefined && transport.sessionId !== undefined) await transport.terminateSession()
    }
  }
}

/**
 * Ends a stored session (DELETE). A server that does not know it, or that ends sessions only by itself, is no error.
 */
export async function endMcpSession(
  { id, protocolVersion }: McpSession,
  url: string,
  fetch: Outbound
): Promise<void> {
  const { status } = await fetch(url, {
    method: 'DELETE',
    headers: { 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion },
    redirect: 'manual'
  })
  if (status >= 400 && status !== 404 && status !== 405) throw new Error(`The server returned ${status}.`)
}

function overSse({
  url,
  fetch,
  signal,
  maxBytes = defaultMaxBytes
}: ClientOptions): Connection & { isThere: () => boolean } {
  let fetchError: { error: unknown } | undefined
  let hasData = false
  const closing = new AbortController()
  const replies = replyLimit()
  const stopSignal = AbortSignal.any([signal, closing.signal])
  const send: Outbound = async (address, init) => {
    try {
      return await fetch(address, { ...init, redirect: 'manual', maxBytes, signal: stopSignal })
    } catch (error) {
      if (!closing.signal.aborted) fetchError ??= { error }
      throw error
    }
  }
  const transport = sseTransport(url, {
    listen: (address, onPiece) =>
      send(address, {
        headers: { accept: 'text/event-stream' },
        timeout: 3_600_000,
        onData(piece) {
          hasData = true
          onPiece(piece)
        }
      }),
    post: async (address, body) =>
      replies.isTooMany(body)
        ? { status: 202 }
        : send(address, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
            changes: isToolCall(body)
          })
  })
  return {
    transport,
    fetchError: () => fetchError,
    isThere: () => hasData || fetchError !== undefined,
    end: async () => closing.abort()
  }
}

/** A server that no longer has a session returns 404. A server that no longer has this transport returns 405. */
const isUnknownSession = ({ status, text }: OutboundResponse): boolean =>
  status === 404 || status === 405 || (status === 400 && /session/i.test(text()))

/** Only tool calls can change data on the server. */
const isToolCall = (body: string): boolean => body.includes('"tools/call"')

/**
 * Limits our replies to a server's own requests. Empty replies (to a ping) are not sent, and at most `maxReplies`
 * others are.
 */
function replyLimit() {
  let sent = 0
  return {
    isTooMany(body: string): boolean {
      const reply = parseReply(body)
      if (reply === undefined) return false
      const hasContent = 'error' in reply || Object.keys(reply.result ?? {}).length > 0
      return !hasContent || ++sent > maxReplies
    }
  }
}

/**
 * Returns the message if it is a reply. In JSON-RPC 2.0, requests and notifications have a `method`, and replies do
 * not.
 */
function parseReply(body: string): { result?: object } | undefined {
  const message: unknown = JSON.parse(body)
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined
  return 'method' in message ? undefined : message
}
