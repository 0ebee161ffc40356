import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, type CallToolResult as Result } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Outbound } from '#lib/kernel/ctx.ts'
import { responseOf } from './response-of.ts'

/** What an MCP server answered to one call. */
export type McpResult = Result
/** A conversation with an MCP server. */
export type McpTalk = {
  /** As the server tells them: what form each has is not checked, so that one bad tool does not spoil the others. */
  listTools: () => Promise<unknown[]>
  callTool: (name: string, input: Record<string, unknown>) => Promise<McpResult>
}

type Asking = { url: string; fetch: Outbound; signal: AbortSignal; version?: string; maxBytes?: number }

const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** The most pages of a list that are read, and the most tools. */
const mostPages = 10
const mostTools = 256

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
    return await work({
      async listTools() {
        const tools: unknown[] = []
        let cursor: string | undefined
        for (let page = 0; page < mostPages && tools.length < mostTools; page++) {
          const params = cursor === undefined ? {} : { cursor }
          const listed = await client.request({ method: 'tools/list', params }, Page, options)
          tools.push(...listed.tools)
          cursor = listed.nextCursor
          if (cursor === undefined) break
        }
        return tools.slice(0, mostTools)
      },
      callTool: (name, input) =>
        client.request(
          { method: 'tools/call', params: { name, arguments: input } },
          CallToolResultSchema,
          options
        )
    })
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
