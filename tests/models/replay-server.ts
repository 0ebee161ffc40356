import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** The way in which a recorded stream is split into writes. */
export type Cut = 'whole' | 'events' | 'bytes'

/**
 * Returns the bytes that a provider would send: a fixture without its header, which ends at the first empty
 * line.
 */
export function readFixture(name: string): Buffer {
  const text = readFileSync(join(import.meta.dirname, 'fixtures', `${name}.sse`), 'utf8')
  return Buffer.from(text.slice(text.indexOf('\n\n') + 2))
}

/**
 * Starts a provider on a free port that answers each request with the next fixture, until the test ends.
 * `bytes` splits at every 7th byte, which is inside names, escapes and multibyte characters.
 */
export async function replay(fixtures: readonly string[], mode: Cut = 'whole') {
  const paths: string[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    for await (const _ of request);
    const body = readFixture(fixtures[paths.push(request.url ?? '') - 1] ?? '')
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (const piece of splitBody(body, mode)) {
      response.write(piece)
      // Sends each piece in its own write.
      await nextTurn()
    }
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, paths }
}

function splitBody(body: Buffer, mode: Cut): Buffer[] {
  if (mode === 'whole') return [body]
  if (mode === 'events')
    return body
      .toString()
      .split(/(?<=\n\n)/)
      .map(event => Buffer.from(event))
  return Array.from({ length: Math.ceil(body.length / 7) }, (_, n) => body.subarray(n * 7, n * 7 + 7))
}
