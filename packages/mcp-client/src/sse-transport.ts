import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { ToolError } from '@waystation/base/known-error.ts'
import { createParser } from 'eventsource-parser'

/**
 * The requests that the transport sends. `onData` receives each piece of the response. The promise resolves when the
 * response is complete.
 */
type Requests = {
  listen: (url: string, onPiece: (piece: Uint8Array) => void) => Promise<{ status: number }>
  post: (url: string, body: string) => Promise<{ status: number }>
}

/**
 * The MCP transport before Streamable HTTP (2024-11-05, "HTTP with SSE"). One stream stays open during the connection.
 * Its first event (`endpoint`) has the URL for messages, which must have the server's origin. Responses arrive on the
 * stream.
 */
export function sseTransport(url: string, { listen, post }: Requests): Transport {
  let endpoint: string | undefined
  const transport: Transport = {
    start: () =>
      new Promise((resolve, reject) => {
        const text = new TextDecoder()
        const parser = createParser({
          onEvent({ event = 'message', data }) {
            if (event === 'endpoint' && endpoint === undefined) {
              const target = URL.parse(data, url)
              if (target === null || target.origin !== new URL(url).origin)
                return reject(new Error('The server named a message endpoint on another origin.'))
              endpoint = target.href
              resolve()
            }
            if (event === 'message') receive(data)
          }
        })
        const close = (error: Error) => {
          reject(error)
          transport.onerror?.(error)
          transport.onclose?.()
        }
        listen(url, piece => parser.feed(text.decode(piece, { stream: true }))).then(
          ({ status }) =>
            close(
              new Error(
                status === 200
                  ? 'The MCP server closed the event stream.'
                  : `The MCP server returned ${status} instead of an event stream.`
              )
            ),
          (error: unknown) => close(error instanceof Error ? error : new Error(String(error)))
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
  const receive = (data: string) => {
    try {
      transport.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(data)))
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return transport
}
