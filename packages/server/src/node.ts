import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Adapts a handler to `node:http` and Express: `createServer(nodeListener(handler))`. No other code may read the body
 * before it, such as a body parser.
 */
export function nodeListener(handler: (request: Request) => Promise<Response>) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    try {
      const { method = 'GET', headers, url = '/' } = incoming
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const request = new Request(new URL(url, 'http://localhost'), {
        method,
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {})
      } as RequestInit)
      const response = await handler(request)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(await response.text())
    } catch (error) {
      console.error(error)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500).end()
    }
  }
}
