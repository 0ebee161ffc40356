import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { encodeAwsEvent } from './aws-event-stream.ts'

/** The way in which a recorded stream is split into writes. */
export type Cut = 'whole' | 'events' | 'bytes'

/** An error response instead of a fixture. */
export type ErrorResponse = { status: number; body: unknown; headers?: Record<string, string> }

/**
 * Returns the events that a provider would send: a fixture without its header, which ends at the first empty
 * line. Fixtures of Bedrock have one event per line, because it sends binary events.
 */
export function readFixture(name: string): Buffer[] {
  const isBedrock = name.startsWith('bedrock/')
  const file = `${name}.${isBedrock ? 'jsonl' : 'sse'}`
  const text = readFileSync(join(import.meta.dirname, 'fixtures', file), 'utf8')
  const body = text.slice(text.indexOf('\n\n') + 2)
  return isBedrock
    ? body
        .trim()
        .split('\n')
        .map(line => encodeAwsEvent(JSON.parse(line)))
    : body.split(/(?<=\n\n)/).map(event => Buffer.from(event))
}

/**
 * Starts a provider on a free port that answers each request with the next fixture, until the test ends.
 * `bytes` splits at every 7th byte, which is inside names, escapes and multibyte characters.
 */
export async function replay(fixtures: readonly (string | ErrorResponse)[], mode: Cut = 'whole') {
  const paths: string[] = []
  const bodies: unknown[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    headers.push(request.headers)
    bodies.push(JSON.parse(await text(request)))
    const next = fixtures[paths.push(request.url ?? '') - 1] ?? { status: 500, body: 'no fixture' }
    if (typeof next !== 'string') {
      response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers })
      return response.end(typeof next.body === 'string' ? next.body : JSON.stringify(next.body))
    }
    const type = next.startsWith('bedrock/') ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
    response.writeHead(200, { 'content-type': type })
    for (const piece of splitBody(readFixture(next), mode)) {
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
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, paths, bodies, headers }
}

function splitBody(events: Buffer[], mode: Cut): Buffer[] {
  if (mode === 'events') return events
  const body = Buffer.concat(events)
  if (mode === 'whole') return [body]
  return Array.from({ length: Math.ceil(body.length / 7) }, (_, n) => body.subarray(n * 7, n * 7 + 7))
}
