import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { maskLines } from '#lib/features/connections/mask-secrets.ts'
import { parseEgressPolicy } from '#lib/net/egress-policy.ts'
import { withMcp } from '#lib/net/mcp/client.ts'
import { safeFetch } from '#lib/net/safe-fetch.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { hasListed, serveEverything } from '#tests/support/fakes/serve-everything.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** A session of an agent with the tools of the server at this address. */
async function using(url: string, allow = '127.0.0.1', reference = false) {
  const world = await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: allow } })
  await saveIntegration(world.ctx, { integration: 'all', config: { service: 'Everything', mcp: { url } } })
  if (reference) await hasListed(world.ctx, 'all')
  const agentId = await world.agent({ chat: { tools: [{ mcp: 'all', approval: 'auto' }] } })
  const { sessionId } = await createSession(world.ctx, { agentId })
  return world.reopen(sessionId)
}

/** A server that knows the older transport only: `talk` is handed each stream, and what is posted is `receive`d. */
async function serveOld(
  talk: (stream: ServerResponse) => void,
  hear: (rpc: { id?: number; method: string }, stream: ServerResponse) => void = () => {}
) {
  const seen = { posts: 0, streams: 0, closed: 0 }
  let stream: ServerResponse | undefined
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.url === '/messages') {
      seen.posts++
      response.writeHead(202).end()
      if (stream !== undefined) hear(JSON.parse(text), stream)
      return
    }
    if (request.method !== 'GET') return response.writeHead(405).end()
    seen.streams++
    stream = response
    response.on('close', () => seen.closed++)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    talk(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, seen }
}

const policy = parseEgressPolicy('127.0.0.1')
const lists = (url: string, until: number | AbortSignal = 5000) =>
  withMcp(
    {
      url,
      fetch: (at, init) => safeFetch(policy, at, init),
      signal: typeof until === 'number' ? AbortSignal.timeout(until) : until,
      maxBytes: 65_536
    },
    talk => talk.listTools()
  )

const endpoint = (at = '/messages') => `event: endpoint\ndata: ${at}\n\n`
const said = (message: object) =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
const hello = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: {} },
  serverInfo: { name: 'old', version: '1' }
}

test.each(['streamableHttp', 'sse'] as const)(
  '001-19: the tools of the reference server are listed and called (%s)',
  async transport => {
    const session = await using(await serveEverything(transport), '127.0.0.1', true)
    await session.says('use all__echo {"message":"hello"}')
    await session.reads('Echo: hello')
    await session.says('use all__get-sum {"a":2,"b":3}')
    expect((await session.get()).calls.at(-1)).toMatchObject({
      state: 'answered',
      output: expect.stringContaining('5')
    })
  }
)

test('001-19: the older transport is spoken where the newer one is refused, and its stream is closed with the call', async () => {
  const { url, seen } = await serveOld(
    stream => stream.write(endpoint()),
    ({ id, method }, stream) => {
      if (method === 'initialize') stream.write(said({ id, result: hello }))
      if (method === 'tools/list') stream.write(said({ id, result: { tools: [{ name: 'one' }] } }))
    }
  )
  expect(await lists(url)).toEqual([{ name: 'one' }])
  await expect.poll(() => seen).toEqual({ posts: 3, streams: 1, closed: 1 })
})

test('001-19: where the older transport sends messages is at the server’s own origin, or nothing is sent', async () => {
  const { url, seen } = await serveOld(stream => stream.write(endpoint('https://evil.example/messages')))
  await expect(lists(url)).rejects.toThrow()
  expect(seen.posts).toBe(0)
})

test('001-19: a call fails as soon as the stream of the older transport ends, and the stream is not opened again', async () => {
  const { url, seen } = await serveOld(
    stream => stream.write(`retry: 1\n${endpoint()}`),
    ({ method }, stream) => {
      if (method === 'initialize') stream.end()
    }
  )
  // The call may take an hour: only the end of the stream can fail it in time.
  await expect(lists(url, 3_600_000)).rejects.toThrow()
  expect(seen).toMatchObject({ posts: 1, streams: 1 })
})

test('001-19: a canceled call ends while the older transport still waits for its message endpoint', async () => {
  const cancel = new AbortController()
  const { url } = await serveOld(stream => {
    stream.write(': nothing yet\n\n')
    cancel.abort()
  })
  await expect(lists(url, cancel.signal)).rejects.toThrow()
})

test.each([
  ['says nothing', () => {}, 500],
  ['ends at once', (stream: ServerResponse) => stream.end(endpoint()), 5000],
  ['floods', (stream: ServerResponse) => stream.write(`: ${'x'.repeat(70_000)}\n`), 5000],
  ['talks nonsense', (stream: ServerResponse) => stream.end('data: {"no":"rpc"}\n\n'), 5000]
] as const)('001-19: a stream that %s comes to an error', async (_, talk, milliseconds) => {
  const { url } = await serveOld(talk)
  await expect(lists(url, milliseconds)).rejects.toThrow()
})

test('001-19: a stream that asks by itself is not answered: it does not become requests', async () => {
  const { url, seen } = await serveOld(
    stream => stream.write(endpoint()),
    ({ id, method }, stream) => {
      const pings = Array.from({ length: 200 }, (_, at) => said({ id: `p${at}`, method: 'ping' })).join('')
      if (method === 'initialize') stream.write(pings + said({ id, result: hello }))
      if (method === 'tools/list') stream.write(said({ id, result: { tools: [] } }))
    }
  )
  expect(await lists(url)).toEqual([])
  expect(seen.posts).toBe(3)
})

test('001-19: the older transport takes the one way out: a private address that is not allowed is not reached', async () => {
  const { url, seen } = await serveOld(stream => stream.write(endpoint()))
  const session = await using(url, 'elsewhere.example')
  await session.says('use connect_all {}')
  expect((await session.get()).calls.at(-1)).toMatchObject({ state: 'failed' })
  expect(seen.streams).toBe(0)
})

test('a secret that a stream says back is masked, in whichever pieces it comes', () => {
  const heard: string[] = []
  const hear = maskLines(piece => heard.push(Buffer.from(piece).toString()), ['a-long-secret'])
  for (const piece of ['data: a-lo', 'ng-sec', 'ret\ndata: é', '\n', 'rest']) hear(Buffer.from(piece))
  expect(heard.join('')).toBe('data: ••••\ndata: é\n')
})
