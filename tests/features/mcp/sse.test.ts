import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { withMcp } from '@waystation/mcp-client'
import { expect, onTestFinished, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { maskLines } from '#lib/features/connections/mask-secrets.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { hasListed, serveEverything } from '#tests/support/fakes/serve-everything.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a session of an agent with the tools of the server at this URL. */
async function sessionWithServer(url: string, allow = '127.0.0.1', reference = false) {
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: allow } })
  await saveIntegration(server.ctx, { integration: 'all', config: { service: 'Everything', mcp: { url } } })
  if (reference) await hasListed(server.ctx, 'all')
  const agentId = await server.saveAgent({ chat: { tools: [{ mcp: 'all', approval: 'auto' }] } })
  const { sessionId } = await createSession(server.ctx, { agentId })
  return server.reopenSession(sessionId)
}

/**
 * Starts a server with only the older transport. `onStream` receives each stream, and `onPost` each posted
 * message.
 */
async function serveOldTransport(
  onStream: (stream: ServerResponse) => void,
  onPost: (rpc: { id?: number; method: string }, stream: ServerResponse) => void = () => {}
) {
  const counts = { posts: 0, streams: 0, closed: 0 }
  let stream: ServerResponse | undefined
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.url === '/messages') {
      counts.posts++
      response.writeHead(202).end()
      if (stream !== undefined) onPost(JSON.parse(text), stream)
      return
    }
    if (request.method !== 'GET') return response.writeHead(405).end()
    counts.streams++
    stream = response
    response.on('close', () => counts.closed++)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    onStream(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, seen: counts }
}

const policy = parseEgressPolicy('127.0.0.1')
const listTools = (url: string, until: number | AbortSignal = 5000) =>
  withMcp(
    {
      url,
      fetch: (target, init) => safeFetch(policy, target, init),
      signal: typeof until === 'number' ? AbortSignal.timeout(until) : until,
      maxBytes: 65_536
    },
    client => client.listTools()
  )

const endpoint = (at = '/messages') => `event: endpoint\ndata: ${at}\n\n`
const sseMessage = (message: object) =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
const initializeResult = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: {} },
  serverInfo: { name: 'old', version: '1' }
}

test.each(['streamableHttp', 'sse'] as const)(
  '001-19: the tools of the reference server are listed and called (%s)',
  async transport => {
    const session = await sessionWithServer(await serveEverything(transport), '127.0.0.1', true)
    await session.runTurn('use all__echo {"message":"hello"}')
    await session.waitForText('Echo: hello')
    await session.runTurn('use all__get-sum {"a":2,"b":3}')
    expect((await session.get()).calls.at(-1)).toMatchObject({
      state: 'answered',
      output: expect.stringContaining('5')
    })
  }
)

test('001-19: the older transport is used if the newer one is refused, and its stream is closed with the call', async () => {
  const { url, seen: counts } = await serveOldTransport(
    stream => stream.write(endpoint()),
    ({ id, method }, stream) => {
      if (method === 'initialize') stream.write(sseMessage({ id, result: initializeResult }))
      if (method === 'tools/list') stream.write(sseMessage({ id, result: { tools: [{ name: 'one' }] } }))
    }
  )
  expect(await listTools(url)).toEqual([{ name: 'one' }])
  await expect.poll(() => counts).toEqual({ posts: 3, streams: 1, closed: 1 })
})

test('001-19: the message endpoint of the older transport must have the server’s origin, or nothing is sent', async () => {
  const { url, seen: counts } = await serveOldTransport(stream =>
    stream.write(endpoint('https://evil.example/messages'))
  )
  await expect(listTools(url)).rejects.toThrow()
  expect(counts.posts).toBe(0)
})

test('001-19: a call fails as soon as the stream of the older transport ends, and the stream is not opened again', async () => {
  const { url, seen: counts } = await serveOldTransport(
    stream => stream.write(`retry: 1\n${endpoint()}`),
    ({ method }, stream) => {
      if (method === 'initialize') stream.end()
    }
  )
  // The call’s timeout is an hour, so only the end of the stream can fail it in time.
  await expect(listTools(url, 3_600_000)).rejects.toThrow()
  expect(counts).toMatchObject({ posts: 1, streams: 1 })
})

test('001-19: a canceled call ends while the older transport still waits for its message endpoint', async () => {
  const cancel = new AbortController()
  const { url } = await serveOldTransport(stream => {
    stream.write(': nothing yet\n\n')
    cancel.abort()
  })
  await expect(listTools(url, cancel.signal)).rejects.toThrow()
})

test.each([
  ['sends nothing', () => {}, 500],
  ['ends at once', (stream: ServerResponse) => stream.end(endpoint()), 5000],
  ['floods', (stream: ServerResponse) => stream.write(`: ${'x'.repeat(70_000)}\n`), 5000],
  ['sends invalid data', (stream: ServerResponse) => stream.end('data: {"no":"rpc"}\n\n'), 5000]
] as const)('001-19: a stream that %s gives an error', async (_, onStream, milliseconds) => {
  const { url } = await serveOldTransport(onStream)
  await expect(listTools(url, milliseconds)).rejects.toThrow()
})

test('001-19: requests from a server on its stream are not answered and cause no requests', async () => {
  const { url, seen: counts } = await serveOldTransport(
    stream => stream.write(endpoint()),
    ({ id, method }, stream) => {
      const pings = Array.from({ length: 200 }, (_, at) => sseMessage({ id: `p${at}`, method: 'ping' })).join(
        ''
      )
      if (method === 'initialize') stream.write(pings + sseMessage({ id, result: initializeResult }))
      if (method === 'tools/list') stream.write(sseMessage({ id, result: { tools: [] } }))
    }
  )
  expect(await listTools(url)).toEqual([])
  expect(counts.posts).toBe(3)
})

test('001-19: the older transport uses the egress policy: a private address that is not allowed is not reached', async () => {
  const { url, seen: counts } = await serveOldTransport(stream => stream.write(endpoint()))
  const session = await sessionWithServer(url, 'elsewhere.example')
  await session.runTurn('use connect_all {}')
  expect((await session.get()).calls.at(-1)).toMatchObject({ state: 'failed' })
  expect(counts.streams).toBe(0)
})

test('a secret that a stream echoes is masked, even if it is split over several chunks', () => {
  const output: string[] = []
  const mask = maskLines(piece => output.push(Buffer.from(piece).toString()), ['a-long-secret'])
  for (const piece of ['data: a-lo', 'ng-sec', 'ret\ndata: é', '\n', 'rest']) mask(Buffer.from(piece))
  expect(output.join('')).toBe('data: ••••\ndata: é\n')
})
