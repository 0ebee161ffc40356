import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { ErrorCode } from '@waystation/protocol/error-body.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import { parseJson } from '#lib/http/request/parse-json.ts'
import { statusOf } from '#lib/http/response/problem.ts'
import { route } from '#lib/http/route.ts'
import { adminKey, withRuntime } from '#tests/support/servers/test-runtime.ts'

withRuntime()

const echo = route(
  operation({
    id: 'echo',
    method: 'POST',
    path: '/api/echo/{name}',
    summary: 'Says what it heard',
    actor: 'user',
    scope: 'send',
    input: z.object({
      name: z.string(),
      text: z.string().optional(),
      key: z.string().optional(),
      any: z.unknown().optional()
    }),
    answer: z.unknown(),
    maxBytes: 1000
  }),
  async (ctx, input) => ({ input, caller: ctx.actor.name })
)

const failing = (error: unknown) =>
  route(
    operation({
      id: 'no',
      method: 'GET',
      path: '/api/no',
      summary: 'No',
      actor: 'public',
      input: z.object({}),
      answer: z.unknown()
    }),
    () => Promise.reject(error)
  )

const params = (values: Record<string, string> = {}) => values

async function post(body: BodyInit, headers: Record<string, string> = {}, path = { name: 'ada' }) {
  const request = new Request('http://localhost:3000/api/echo/ada?text=from-the-query', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { authorization: `Bearer ${adminKey}`, ...headers }
  } as RequestInit)
  const response = await echo(request, params(path))
  return { status: response.status, body: await response.json(), headers: response.headers }
}

test('a handler gets path and body as one input, and the path wins', async () => {
  const { status, body } = await post('{"name":"eve","text":"hi"}')
  expect(status).toBe(200)
  expect(body).toEqual({ input: { name: 'ada', text: 'hi' }, caller: 'Environment key' })
})

test('a GET handler gets the query fields, without NUL', async () => {
  const endpoint = route(
    operation({ ...echoOperation, method: 'GET', input: z.object({ q: z.string() }) }),
    async (_, { q }) => ({ q })
  )
  const request = new Request('http://localhost:3000/?q=a%00b', {
    headers: { authorization: `Bearer ${adminKey}` }
  })
  const response = await endpoint(request, {})
  expect(await response.json()).toEqual({ q: 'a\uFFFDb' })
})

test('the Idempotency-Key header becomes the field `key`', async () => {
  const { body } = await post('{}', { 'idempotency-key': 'once' })
  expect(body.input.key).toBe('once')
})

test('a body that is not JSON is 400 MALFORMED_JSON', async () => {
  expect(await post('{"text":')).toMatchObject({ status: 400, body: { code: 'MALFORMED_JSON' } })
})

test.each(['[]', '"text"', '7', 'null'])('a body that is not an object (%s) is 422', async body => {
  expect(await post(body)).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
})

test('each invalid field is named', async () => {
  expect(await post('{"text":7}')).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT', fields: { text: expect.stringContaining('expected string') } }
  })
})

test('__proto__ is dropped at any depth and has no effect', async () => {
  const { body } = await post(
    '{"__proto__":{"text":"evil"},"any":{"__proto__":{"polluted":1},"ok":[{"__proto__":2}]}}'
  )
  expect(body.input).toEqual({ name: 'ada', any: { ok: [{}] } })
  const parsed = parseJson('{"any":{"__proto__":{"polluted":1}}}') as { any: { polluted?: number } }
  expect(parsed.any.polluted).toBeUndefined()
})

test('NUL and lone surrogates become U+FFFD, in values and in keys', async () => {
  const { body } = await post('{"text":"a\\u0000b\\ud800c","any":{"k\\u0000":1}}')
  expect(body.input).toMatchObject({ text: 'a\uFFFDb\uFFFDc', any: { 'k\uFFFD': 1 } })
})

test('22 A1: a body with too many values is rejected before parsing, and a long text with as many commas is not', () => {
  expect(() => parseJson(`[${'[],'.repeat(150_000)}0]`)).toThrow(ApiError)
  // This is not JSON, so a parsed body would cause another error.
  expect(() => parseJson('[,'.repeat(150_000))).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  const body = { text: 'a,"[{\\\\'.repeat(40_000), 'a"[{,': 1 }
  expect(parseJson(JSON.stringify(body))).toEqual(body)
})

test('a body nested a hundred thousand levels deep is rejected without a crash', async () => {
  const nested = route(operation({ ...echoOperation, maxBytes: 2 ** 21 }), async () => ({}))
  const request = new Request('http://localhost:3000/', {
    method: 'POST',
    body: `{"any":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    headers: { authorization: `Bearer ${adminKey}` }
  })
  expect((await nested(request, params({ name: 'ada' }))).status).toBe(422)
})

const echoOperation = {
  id: 'deep',
  method: 'POST',
  path: '/',
  summary: '',
  actor: 'user',
  scope: 'send',
  input: z.object({ any: z.unknown() }),
  answer: z.unknown()
} as const

test('a body above the limit is 413, with any Content-Length', async () => {
  const honest = await post('x'.repeat(1001))
  expect(honest).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } })
  const endless = new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(400)) })
  expect(await post(endless as BodyInit)).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } })
})

test('every error code has the status of api.md, and all errors have the same shape', async () => {
  for (const [code, status] of Object.entries(statusOf)) {
    const response = await failing(new ApiError(code as ErrorCode, 'Because.'))(
      new Request('http://x/'),
      params()
    )
    expect(response.status, code).toBe(status)
    expect(await response.json()).toMatchObject({ error: 'Because.', code })
  }
})

test('a rate limit says when to retry, in the header and in the body', async () => {
  const apiError = new ApiError('RATE_LIMITED', 'Slow down.', { retryAfter: 2.4 })
  const response = await failing(apiError)(new Request('http://x/'), params())
  expect(response.headers.get('retry-after')).toBe('3')
  expect(await response.json()).toMatchObject({ retryAfter: 2.4 })
})

test('the fields of an error reach the caller', async () => {
  const response = await failing(invalid('No.', { until: 'is in the past' }))(
    new Request('http://x/'),
    params()
  )
  expect(await response.json()).toEqual({
    error: 'No.',
    code: 'INVALID_INPUT',
    fields: { until: 'is in the past' }
  })
})

test('an internal error is logged under the ID that the caller receives, and the response has no other details', async () => {
  const lines: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(line => lines.push(String(line)) > 0)
  onTestFinished(() => spy.mockRestore())
  const response = await failing(new Error('secret detail'))(new Request('http://x/'), params())
  const body = await response.json()
  expect(response.status).toBe(500)
  expect(body.code).toBe('UNAVAILABLE')
  expect(JSON.stringify(body)).not.toContain('secret detail')
  const { id, stack } = JSON.parse(lines.join(''))
  expect(body.error).toContain(id)
  expect(stack).toContain('secret detail')
})

test('an unreachable database is 503 with Retry-After', async () => {
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => spy.mockRestore())
  const connectError = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const response = await failing(new Error('Failed query', { cause: connectError }))(
    new Request('http://x/'),
    params()
  )
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' })
})

test('over a real socket, an endless upload with a wrong Content-Length gets an early 413', async () => {
  const server = createServer(async (req, res) => {
    const body = Readable.toWeb(req) as ReadableStream
    const request = new Request('http://localhost:3000/', {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}` },
      body,
      duplex: 'half'
    } as RequestInit)
    const response = await echo(request, params({ name: 'ada' }))
    res.writeHead(response.status, Object.fromEntries(response.headers))
    Readable.fromWeb(response.body as WebStream).pipe(res)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const req = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'transfer-encoding': 'chunked' }
  })
  req.on('error', () => {})
  const responded = once(req, 'response') as Promise<[import('node:http').IncomingMessage]>
  const upload = setInterval(() => req.write('x'.repeat(500)), 1)
  const [res] = await responded
  clearInterval(upload)
  expect(res.statusCode).toBe(413)
  req.destroy()
  server.closeAllConnections()
  server.close()
})
