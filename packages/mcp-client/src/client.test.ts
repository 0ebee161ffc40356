import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { expect, onTestFinished, test } from 'vitest'
import { withMcp } from './client.ts'

type Rpc = { id?: number; method: string }

/** A server that closes the stream of a call before it responds. `resume` handles each request to resume it. */
async function serveClosing(
  retry: number,
  resume: (response: ServerResponse, call: Rpc, request: IncomingMessage) => void
) {
  let call: Rpc = { method: '' }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET')
      return request.headers['last-event-id'] === undefined
        ? response.writeHead(405).end()
        : resume(response, call, request)
    const rpc = (await json(request)) as Rpc
    if (rpc.id === undefined) return response.writeHead(202).end()
    if (rpc.method === 'tools/call') {
      call = rpc
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.end(`id: first\nretry: ${retry}\ndata:\n\n`)
    }
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'closing', version: '1' }
    }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const policy = parseEgressPolicy('127.0.0.1')
const callAt = (url: string) =>
  withMcp(
    { url, fetch: (at, init) => safeFetch(policy, at, init), signal: AbortSignal.timeout(30_000) },
    talk => talk.callTool('slow', {})
  )

const lastEvent = ({ id }: Rpc) =>
  `id: last\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } })}\n\n`

test('a stream that the server closes early is resumed from its last event ID until the response arrives', async () => {
  const eventIds: unknown[] = []
  const url = await serveClosing(1, (response, call, request) => {
    eventIds.push(request.headers['last-event-id'])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(eventIds.length < 3 ? `id: ${eventIds.length}\ndata:\n\n` : lastEvent(call))
  })
  expect(await callAt(url)).toMatchObject({ content: [{ text: 'done' }] })
  expect(eventIds).toEqual(['first', '1', '2'])
})

test('the client stops after the server has closed its stream too often', async () => {
  let resumed = 0
  const url = await serveClosing(0, response => {
    resumed++
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: again\ndata:\n\n')
  })
  await expect(callAt(url)).rejects.toThrow('100 times')
  expect(resumed).toBe(100)
})

test('a call fails at once if its server closes the stream and refuses to resume it', async () => {
  const url = await serveClosing(1, response => response.writeHead(405).end())
  await expect(callAt(url)).rejects.toThrow('405')
})
