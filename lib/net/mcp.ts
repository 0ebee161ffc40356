import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Outbound } from '#lib/kernel/ctx.ts'
import type { McpTalk } from '#lib/kernel/mcp-talk.ts'
import { talkWith } from './mcp-talk.ts'
import { responseOf } from './response-of.ts'

type Asking = { url: string; fetch: Outbound; signal: AbortSignal; version?: string; maxBytes?: number }

/**
 * Speaks with an MCP server over Streamable HTTP (2025-11-25): says hello, works, and ends the session. Its requests are those
 * of `fetch`, whose errors come out as they are; a redirect is an answer, and never followed. Nothing listens for what it
 * says by itself.
 */
export async function withMcp<T>(asking: Asking, work: (talk: McpTalk) => Promise<T>): Promise<T> {
  const { url, fetch, signal, maxBytes = 2 * 1024 * 1024 } = asking
  let fault: { error: unknown } | undefined
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1
    },
    fetch: async (address, init = {}) => {
      // The stream of what a server says by itself: as if it had none.
      if (init.method === 'GET') return new Response(null, { status: 405 })
      const { method = 'POST', body } = init
      // Nor is it answered what it asks in the stream of an answer: a short one could ask ten thousand things.
      if (typeof body === 'string' && isReply(body)) return new Response(null, { status: 202 })
      try {
        const answer = await fetch(String(address), {
          method,
          headers: Object.fromEntries(new Headers(init.headers)),
          ...(typeof body === 'string' ? { body } : {}),
          changes: typeof body === 'string' && body.includes('"tools/call"'),
          redirect: 'manual',
          maxBytes,
          signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal
        })
        return responseOf(answer)
      } catch (error) {
        fault ??= { error }
        throw error
      }
    }
  })
  const client = new Client({ name: 'waystation', version: asking.version ?? '1' })
  // The library's own time is an upper bound: `signal` is ours.
  const options = { signal, timeout: 3_600_000 }
  try {
    // Its declaration leaves `sessionId` open, which the interface's does not.
    await client.connect(transport as Parameters<typeof client.connect>[0], options)
    return await work(talkWith(client, signal))
  } catch (error) {
    // The library wraps or swallows what its `fetch` throws.
    throw fault === undefined ? error : fault.error
  } finally {
    if (transport.sessionId !== undefined && !signal.aborted)
      await transport.terminateSession().catch(() => undefined)
    await client.close()
  }
}

/** JSON-RPC 2.0: requests and notifications have a `method`, replies have none. */
function isReply(body: string): boolean {
  const message: unknown = JSON.parse(body)
  return typeof message === 'object' && message !== null && !Array.isArray(message) && !('method' in message)
}
