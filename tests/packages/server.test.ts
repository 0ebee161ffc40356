import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer, type StoredCall, ToolError, type ToolStore, tool } from '@waystation/server'
import { nodeListener } from '@waystation/server/node'
import { Webhook } from 'standardwebhooks'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const inputSchema = z.object({ city: z.string().default('Lima') })
const about = { name: 'weather', inputSchema, secret }

let calls = 0
/** Returns a call of a server that takes its answers at this URL. */
const callAt = (answerUrl: string) => ({
  toolCallId: `call_${++calls}`,
  toolName: 'weather',
  sessionId: 'order-7',
  agentId: 'guide',
  input: {},
  answerUrl,
  deadline: new Date(Date.now() + 60_000).toISOString()
})

/** Signs a call like a Waystation server, with the library of Standard Webhooks. */
function requestFor(call: object, signer = secret): Request {
  const [body, now] = [JSON.stringify({ type: 'call.opened', ...call }), new Date()]
  const headers = {
    'webhook-id': 'dlv_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(signer).sign('dlv_1', now, body)
  }
  return new Request('http://tool.example/', { method: 'POST', body, headers })
}

/** A store in memory. `fail` makes the method with this name reject at its next use. */
function memoryStore() {
  const stored = new Map<string, StoredCall>()
  const failing: string[] = []
  const check = (name: string) => {
    if (failing[0] === name) throw new Error(`No ${failing.shift()}.`)
  }
  const store: ToolStore = {
    async get(id) {
      check('get')
      return stored.get(id)
    },
    async set(id, value) {
      check(value.result ? 'set result' : 'set call')
      stored.set(id, value)
    }
  }
  return { ...store, fail: (name: string) => void failing.push(name) }
}

test.each([undefined, '', 'whsec_', 'whsec_c2hvcnQ=', 'not base64!', [], [undefined], [secret, '']])(
  'a tool with the secret %j is refused',
  wrong => {
    expect(() => tool({ ...about, secret: wrong, execute: () => 1 })).toThrow(TypeError)
  }
)

test('a missing secret that is read for each request runs nothing', async () => {
  const handler = tool({ ...about, secret: () => undefined, execute: () => expect.unreachable() })
  await expect(handler(requestFor(callAt('http://127.0.0.1:9/')))).rejects.toThrow(TypeError)
})

test('a tool accepts several secrets, and without a signature only with `false`', async () => {
  const way = await startExternalSystem()
  const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
  const status = async (given: Parameters<typeof tool>[0]['secret'], signer?: string) => {
    const call = callAt(way.url)
    const unsigned = new Request('http://tool.example/', {
      method: 'POST',
      body: JSON.stringify({ type: 'call.opened', ...call })
    })
    const handler = tool({ ...about, secret: given, execute: () => 1 })
    return (await handler(signer === undefined ? unsigned : requestFor(call, signer))).status
  }
  expect(await status([other, undefined, secret], secret)).toBe(200)
  expect(await status([other, secret], other)).toBe(200)
  expect(await status(() => secret, secret)).toBe(200)
  expect(await status(other, secret)).toBe(401)
  expect(await status(secret)).toBe(401)
  expect(await status(false)).toBe(200)
})

test('the schemas give the input and the output their types, and the input its defaults', async () => {
  const way = await startExternalSystem()
  const handler = tool({
    ...about,
    outputSchema: z.object({ degrees: z.number() }),
    execute({ city }, { sessionId, signal, later }) {
      expectTypeOf(city).toEqualTypeOf<string>()
      expect([city, sessionId, signal.aborted]).toEqual(['Lima', 'order-7', false])
      return city === 'Lima' ? { degrees: 19 } : later
    }
  })
  expect((await handler(requestFor(callAt(way.url)))).status).toBe(200)
  expect(way.requests[0]?.body).toBe('{"output":{"degrees":19}}')
  // @ts-expect-error: the output does not fit outputSchema
  tool({ ...about, outputSchema: z.object({ degrees: z.number() }), execute: () => ({ degrees: 'many' }) })
})

test('a test call returns its result in the response, and sends no answer', async () => {
  const handler = tool({ ...about, execute: ({ city }) => ({ city }) })
  const response = await handler(requestFor({ ...callAt('http://127.0.0.1:9/'), test: true }))
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ output: { city: 'Lima' } })
})

test('a schema without a JSON Schema works, but has no definition', async () => {
  const way = await startExternalSystem()
  const validate = (value: unknown) => ({ value })
  const schema = { '~standard': { version: 1 as const, vendor: 'acme', validate } }
  const handler = tool({ ...about, inputSchema: schema, execute: () => undefined })
  expect((await handler(requestFor(callAt(way.url)))).status).toBe(200)
  expect(way.requests[0]?.body).toBe('{"output":null}')
  await expect(handler(new Request('http://tool.example/'))).rejects.toThrow('acme')
})

test('a request with a body over 4 MiB is refused before its signature is checked', async () => {
  const handler = tool({ ...about, execute: () => expect.unreachable() })
  const body = 'x'.repeat(4 * 1024 * 1024 + 1)
  expect((await handler(new Request('http://tool.example/', { method: 'POST', body }))).status).toBe(413)
})

test('after its deadline, a call runs only if the server delivers it, because a person can extend the deadline', async () => {
  const way = await startExternalSystem()
  const handler = tool({ ...about, execute: (_, { signal }) => signal.aborted })
  const call = { ...callAt(way.url), deadline: new Date(Date.now() - 1).toISOString() }
  expect(await handler.resume(call)).toEqual({ status: 'expired' })
  expect(way.requests).toEqual([])
  await handler(requestFor(call))
  expect(way.requests[0]?.body).toBe('{"output":false}')
})

test('the same call twice at once is answered once', async () => {
  const way = await startExternalSystem()
  const handler = tool({ ...about, execute: () => 1 })
  const call = callAt(way.url)
  const responses = await Promise.all([handler(requestFor(call)), handler(requestFor(call))])
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  expect(way.requests).toHaveLength(1)
})

test('an answer that the server rejects is sent again with the next delivery, without a second run', async () => {
  const way = await startExternalSystem(
    (response, _, index) => void response.writeHead(index === 0 ? 401 : 200).end()
  )
  const errors: unknown[] = []
  let runs = 0
  const handler = tool({ ...about, execute: () => ++runs, onError: error => void errors.push(error) })
  const call = callAt(way.url)
  expect((await handler(requestFor(call))).status).toBe(502)
  expect((await handler(requestFor(call))).status).toBe(200)
  expect((await handler(requestFor(call))).status).toBe(200)
  expect(way.requests.map(({ body }) => body)).toEqual(['{"output":1}', '{"output":1}'])
  expect(errors).toHaveLength(1)
})

test('a call does not run while its store cannot record it, and is answered if only the result is not stored', async () => {
  const way = await startExternalSystem()
  const store = memoryStore()
  const errors: unknown[] = []
  let runs = 0
  const handler = tool({ ...about, store, execute: () => ++runs, onError: error => void errors.push(error) })
  const call = callAt(way.url)
  store.fail('get')
  store.fail('set call')
  store.fail('set result')
  expect((await handler(requestFor(call))).status).toBe(503)
  expect((await handler(requestFor(call))).status).toBe(503)
  expect(runs).toBe(0)
  expect((await handler(requestFor(call))).status).toBe(200)
  expect([runs, way.requests[0]?.body]).toEqual([1, '{"output":1}'])
  expect(errors.map(String)).toEqual(['Error: No get.', 'Error: No set call.', 'Error: No set result.'])
})

test('two processes with one store give a call the same answer', async () => {
  const way = await startExternalSystem()
  const store = memoryStore()
  const process = (output: string) => tool({ ...about, store, execute: () => output })
  const call = callAt(way.url)
  await process('first')(requestFor(call))
  await process('second')(requestFor(call))
  expect(way.requests.map(({ body }) => body)).toEqual(['{"output":"first"}', '{"output":"first"}'])
})

test('an answer that the program owes is not given again after a restart', async () => {
  const store = memoryStore()
  let runs = 0
  const process = () =>
    tool({
      ...about,
      store,
      execute(_, { later }) {
        runs++
        return later
      }
    })
  const call = callAt('http://127.0.0.1:9/')
  expect(await (await process()(requestFor(call))).json()).toMatchObject({ status: 'later' })
  expect(await process().resume(call)).toEqual({ status: 'later' })
  expect(runs).toBe(1)
})

test('work after the response is handed to the platform', async () => {
  const way = await startExternalSystem()
  const work: Promise<unknown>[] = []
  const { promise, resolve } = Promise.withResolvers<string>()
  const handler = tool({
    ...about,
    confirmAfterMs: 1,
    waitUntil: promise => void work.push(promise),
    execute: () => promise
  })
  expect((await handler(requestFor(callAt(way.url)))).status).toBe(202)
  resolve('done')
  expect(await work[0]).toEqual({ status: 'accepted' })
})

test('an error of onError does not change the answer', async () => {
  const way = await startExternalSystem()
  allowErrors(/The tool weather failed/)
  const handler = tool({
    ...about,
    execute() {
      throw new ToolError('')
    },
    onError() {
      throw new Error('Full.')
    }
  })
  await handler(requestFor(callAt(way.url)))
  expect(way.requests[0]?.body).toMatch(/^\{"error":"TOOL_FAILED: /)
})

test.each([
  [200, '{}', { status: 'accepted' }],
  [
    409,
    '{"error":"It expired.","code":"ALREADY_SETTLED"}',
    { status: 'settled', code: 'ALREADY_SETTLED', message: 'It expired.' }
  ],
  [
    404,
    '{"error":"No call.","code":"NOT_FOUND"}',
    { status: 'gone', code: 'NOT_FOUND', message: 'No call.' }
  ],
  [410, '', { status: 'gone', message: 'The server responded with 410.' }],
  [422, '<p>', { status: 'rejected', message: 'The server responded with 422.' }],
  [302, '', { status: 'rejected', message: 'The server responded with 302.' }]
])('answer() reports a response with %i', async (status, body, result) => {
  const way = await startExternalSystem(
    (response, { path }) =>
      void response.writeHead(path === '/' ? status : 200, { location: '/else' }).end(body)
  )
  expect(await answer({ answerUrl: `${way.url}/`, output: 1 })).toEqual(result)
})

test('answer() retries after a lost connection, 429 and 5xx, and ends with its time or its signal', async () => {
  const way = await startExternalSystem((response, _, index) => {
    if (index === 0) response.destroy()
    else response.writeHead([0, 503, 200][index] ?? 429).end()
  })
  expect(await answer({ answerUrl: way.url, error: 'No.' })).toEqual({ status: 'accepted' })
  expect(way.requests).toHaveLength(3)
  expect(await answer({ answerUrl: way.url, output: 1, retrySeconds: 0 })).toMatchObject({
    status: 'unreachable'
  })
  const signal = AbortSignal.abort()
  expect(await answer({ answerUrl: way.url, output: 1, signal })).toMatchObject({ status: 'unreachable' })
})

test('a handler serves node:http', async () => {
  const way = await startExternalSystem()
  const handler = tool({ ...about, description: 'Tells the weather.', execute: () => 'sunny' })
  const server = createServer(nodeListener(handler))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const definition = await (await fetch(url)).json()
  expect(definition).toMatchObject({
    name: 'weather',
    description: 'Tells the weather.',
    inputSchema: { type: 'object' }
  })
  const request = requestFor(callAt(way.url))
  const response = await fetch(url, { method: 'POST', headers: request.headers, body: await request.text() })
  expect([response.status, way.requests[0]?.body]).toEqual([200, '{"output":"sunny"}'])
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(405)
})
