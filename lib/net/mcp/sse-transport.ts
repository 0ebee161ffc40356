import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { createParser } from 'eventsource-parser'
import { ToolError } from '#lib/kernel/known-error.ts'

/** What it asks for: `heard` gets the answer piece by piece while it comes, and the promise is kept when it is over. */
type Asks = {
  listen: (url: string, heard: (piece: Uint8Array) => void) => Promise<{ status: number }>
  post: (url: string, body: string) => Promise<{ status: number }>
}

/**
 * The transport of MCP before Streamable HTTP (2024-11-05, "HTTP with SSE"): one stream that stays open while we talk, whose
 * first event (`endpoint`) says where messages go, at the server's own origin. What it answers comes by the stream.
 */
export function sseTransport(url: string, { listen, post }: Asks): Transport {
  let endpoint: string | undefined
  const transport: Transport = {
    start: () =>
      new Promise((resolve, reject) => {
        const text = new TextDecoder()
        const parser = createParser({
          onEvent({ event = 'message', data }) {
            if (event === 'endpoint' && endpoint === undefined) {
              const at = URL.parse(data, url)
              if (at === null || at.origin !== new URL(url).origin)
                return reject(new Error('The server named a message endpoint on another origin.'))
              endpoint = at.href
              resolve()
            }
            if (event === 'message') hear(data)
          }
        })
        const over = (error: Error) => {
          reject(error)
          transport.onerror?.(error)
          transport.onclose?.()
        }
        listen(url, piece => parser.feed(text.decode(piece, { stream: true }))).then(
          ({ status }) =>
            over(
              new Error(
                status === 200
                  ? 'The MCP server closed the event stream.'
                  : `The MCP server returned ${status} instead of an event stream.`
              )
            ),
          (error: unknown) => over(error instanceof Error ? error : new Error(String(error)))
        )
      }),
    async send(message: JSONRPCMessage) {
      if (endpoint === undefined) throw new ToolError('The server did not name its message endpoint.')
      const { status } = await post(endpoint, JSON.stringify(message))
      if (status < 200 || status > 299) throw new ToolError(`The server returned ${status}.`)
    },
    async close() {
      transport.onclose?.()
    }
  }
  const hear = (data: string) => {
    try {
      transport.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(data)))
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return transport
}
