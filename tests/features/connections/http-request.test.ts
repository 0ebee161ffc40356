import { getRandomValues } from 'node:crypto'
import type { BuiltInTool } from '@waystation/protocol/agent/agent.ts'
import { HttpService } from '@waystation/protocol/agent/http-service.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { getIntegration, saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { revokeConnection } from '#lib/features/connections/revoke.ts'
import { acmeAt } from '#packages/sample-acme/src/client.ts'
import { connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { type ExternalRequest, startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { tablesWith } from '#tests/support/servers/full-session.ts'

type Answer = NonNullable<Parameters<typeof startExternalSystem>[0]>
type Config = Partial<BuiltInTool> & { service?: Partial<HttpService> }

/**
 * Starts a service whose accounts are connected at Acme, and an agent with the tool. `request` runs a turn with one
 * call of the tool, and returns the call as it is when the turn ends or parks.
 */
async function withService(answer: Answer, { service, ...tool }: Config = {}) {
  const api = await startExternalSystem(answer)
  const server = await withAcme({ WAYSTATION_EGRESS_ALLOW: api.host })
  const { config } = await getIntegration(server.ctx, { integration: 'acme' })
  await saveIntegration(server.ctx, {
    integration: 'acme',
    clientSecret: acmeAt(server.origin, server.env.authSecret).clientSecret,
    config: { ...config, origins: [api.url] }
  })
  const services = [HttpService.parse({ integration: 'acme', methods: ['GET', 'POST'], ...service })]
  await server.saveAgent({ chat: { tools: [{ name: 'http-request', services, ...tool }] } })
  const session = await server.startSession('test')
  const lastCall = async (): Promise<Call> => (await session.get()).calls.at(-1)!
  return {
    ...server,
    api,
    session,
    lastCall,
    async request(path: string, more: object = {}) {
      const url = path.startsWith('http') ? path : `${api.url}${path}`
      await session.runTurn(`use http-request ${JSON.stringify({ url, ...more })}`)
      return lastCall()
    }
  }
}

/** Like `withService`, with a connected account and calls that run without approval. */
async function withAccount(answer: Answer, config: Config = {}) {
  const server = await withService(answer, { approval: 'auto', ...config })
  const call = await server.request('/first')
  const done = server.session.waitForEnd()
  await connectAt(server, server.session, call)
  await done
  server.api.requests.length = 0
  return server
}

const json =
  (body: unknown): Answer =>
  response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const bearerOf = ({ headers }: ExternalRequest) => headers.authorization?.replace('Bearer ', '') ?? ''

test('002-7: a request waits for approval with its method, URL and body, then for the account, and then runs with it', async () => {
  const server = await withService((response, { body }) =>
    response.writeHead(201, { 'content-type': 'application/json', etag: '"1"' }).end(body)
  )
  const { api, session, request } = server
  const body = { title: 'Lamp', labels: ['oil'] }
  const asked = await request('/items?draft=1', { method: 'POST', body })
  expect(asked).toMatchObject({
    kind: 'approval',
    state: 'open',
    title: `POST ${api.url}/items?draft=1`,
    input: { url: `${api.url}/items?draft=1`, method: 'POST', body }
  })
  const parked = session.waitForEnd()
  await session.answer(asked, { approved: true })
  await parked
  const connecting = await waitForConnectionCall(session, 'http-request')
  expect(connecting.render).toMatchObject({ kind: 'connect', integration: 'acme' })
  expect(api.requests).toEqual([])
  const done = session.waitForEnd()
  await connectAt(server, session, connecting)
  await done
  const { output } = await session.waitForSettled(asked).then(server.lastCall)
  expect(output).toEqual({
    status: 201,
    url: `${api.url}/items?draft=1`,
    headers: { 'content-type': 'application/json', etag: '"1"' },
    json: body
  })
  const [sent] = api.requests
  expect(sent).toMatchObject({
    method: 'POST',
    path: '/items?draft=1',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': asked.toolCallId }
  })
  expect(sent?.headers.authorization).toMatch(/^Bearer .{20}/)
})

test('a declined request, and one whose account was revoked before the approval, send nothing', async () => {
  const server = await withService(json({}))
  const { api, session, ctx, request } = server
  const declined = await request('/declined')
  const end = session.waitForEnd()
  await session.answer(declined, { approved: false })
  await end
  const first = await request('/first')
  const parked = session.waitForEnd()
  await session.answer(first, { approved: true })
  await parked
  const done = session.waitForEnd()
  await connectAt(server, session, await waitForConnectionCall(session, 'http-request'))
  await done
  expect(api.requests.map(({ path }) => path)).toEqual(['/first'])

  const second = await request('/second')
  const { connections } = await listConnections(ctx)
  await revokeConnection(ctx, { connectionId: connections[0]?.connectionId ?? '' })
  const parkedAgain = session.waitForEnd()
  await session.answer(second, { approved: true })
  await parkedAgain
  expect(await server.lastCall()).toMatchObject({ kind: 'connection', state: 'open' })
  expect(api.requests).toHaveLength(1)
})

test('a request that is not permitted fails at once: no user is asked, and the service receives nothing', async () => {
  const elsewhere = await startExternalSystem()
  const server = await withService(json({}), { service: { methods: ['GET', 'POST'] } })
  const { api, request } = server
  const rejected: [string, object?][] = [
    [`${elsewhere.url}/`],
    [`${api.url.replace('http:', 'https:')}/`],
    [api.url.replace('://', '://user:secret@')],
    ['/items', { method: 'DELETE' }],
    ['/items/../admin'],
    ['/items/%2e%2E/admin'],
    ['/items\\..\\admin'],
    ['ftp://127.0.0.1/'],
    ['/items', { method: 'GET', body: 'x' }],
    ['/items', { headers: { Authorization: 'Bearer mine' } }],
    ['/items', { headers: { cookie: 'a=b' } }],
    ['/items', { headers: { Host: 'other.example' } }],
    ['/items', { headers: { accept: 'a\r\nx: y' } }],
    ['/items', { port: 1 }]
  ]
  for (const [url, more] of rejected)
    expect(await request(url, more), url).toMatchObject({ state: 'failed', errorText: expect.any(String) })
  expect([...api.requests, ...elsewhere.requests]).toEqual([])
})

test('an approver cannot change a request into one that is not permitted, and the call stays open', async () => {
  const server = await withService(json({}))
  const { api, session, request } = server
  const asked = await request('/items')
  const edits: [object, RegExp][] = [
    [{ url: `${api.url}/items`, method: 'DELETE' }, /DELETE at .* is not permitted\. Permitted: /],
    [{ url: 'https://elsewhere.example/' }, /GET at https:\/\/elsewhere\.example is not permitted/],
    [{ url: `${api.url}/items`, headers: { cookie: 'a=b' } }, /headers: can only set/]
  ]
  for (const [input, message] of edits)
    await expect(session.answer(asked, { approved: true, input })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(message)
    })
  expect(await server.lastCall()).toMatchObject({ state: 'open', kind: 'approval' })
  expect(api.requests).toEqual([])
})

test('the model reads why a request is not permitted, without the text of a library', async () => {
  const server = await withService(json({}), { service: { methods: ['GET'] } })
  const { errorText } = await server.request('/items', { method: 'DELETE' })
  expect(errorText).toMatch(
    /^The arguments are not valid: url: DELETE at http:\S+ is not permitted\. Permitted: GET at /
  )
})

test('hosts and methods in the configuration narrow a service, and a service that was removed is not reachable', async () => {
  const server = await withService(json({}), { service: { hosts: ['api.acme.example'], methods: ['GET'] } })
  expect(await server.request('/')).toMatchObject({ state: 'failed' })
  const none = await withService(json({}), { service: { integration: 'gone' } })
  expect(await none.request('/')).toMatchObject({
    state: 'failed',
    errorText: expect.stringMatching(/nothing/)
  })
  const get = await withService(json({}), { service: { methods: ['GET'] } })
  expect(await get.request('/', { method: 'POST' })).toMatchObject({ state: 'failed' })
  expect(await get.request('/')).toMatchObject({ state: 'open', kind: 'approval' })
})

test('a redirect is followed within the service, and neither to another host nor with a body', async () => {
  const elsewhere = await startExternalSystem()
  const server = await withAccount((response, { path }) => {
    const target = path === '/away' ? `${elsewhere.url}/stolen` : path === '/there' ? '/end' : '/there'
    if (path === '/end') return response.end('Arrived.')
    if (path === '/loop') return response.writeHead(302, { location: '/loop' }).end()
    return response.writeHead(302, { location: target }).end()
  })
  const { api, request } = server
  expect((await request('/here')).output).toMatchObject({
    status: 200,
    url: `${api.url}/end`,
    text: 'Arrived.'
  })
  expect(api.requests.map(({ headers }) => headers.authorization)).not.toContain(undefined)
  expect((await request('/away')).output).toMatchObject({
    status: 302,
    headers: { location: `${elsewhere.url}/stolen` },
    note: expect.stringContaining(elsewhere.url)
  })
  expect((await request('/here', { method: 'POST', body: 'x' })).output).toMatchObject({ status: 302 })
  expect(await request('/loop')).toMatchObject({ errorText: expect.any(String) })
  expect(elsewhere.requests).toEqual([])
  expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('the model reads JSON, text, errors and empty responses, and a note about binary or long content', async () => {
  const binary = Buffer.from(getRandomValues(new Uint8Array(64)))
  const replies: Record<string, [number, Record<string, string>, string | Buffer]> = {
    '/json': [200, { 'content-type': 'application/vnd.api+json; charset=utf-8' }, '{"a": [1]}'],
    '/text': [200, { 'content-type': 'text/plain' }, 'Hello.'],
    '/error': [
      422,
      { 'content-type': 'application/json', 'retry-after': '9', 'set-cookie': 'a=b' },
      '{"why": "no"}'
    ],
    '/broken': [502, { 'content-type': 'application/json' }, '<html>'],
    '/empty': [204, {}, ''],
    '/image': [200, { 'content-type': 'image/png' }, binary],
    '/long': [200, { 'content-type': 'application/json' }, JSON.stringify('x'.repeat(100_000))],
    '/zeros': [200, { 'content-type': 'text/plain' }, 'a\0b']
  }
  const { request } = await withAccount((response, { path }) => {
    const [status, headers, body] = replies[path] ?? [200, {}, '']
    response.writeHead(status, headers).end(body)
  })
  const outputOf = async (path: string) => (await request(path)).output
  expect(await outputOf('/json')).toMatchObject({ status: 200, json: { a: [1] } })
  expect(await outputOf('/text')).toMatchObject({ text: 'Hello.' })
  const error = await outputOf('/error')
  expect(error).toMatchObject({ status: 422, headers: { 'retry-after': '9' }, json: { why: 'no' } })
  expect(error).not.toHaveProperty('headers.set-cookie')
  expect(await outputOf('/broken')).toMatchObject({ status: 502, text: '<html>' })
  expect(await outputOf('/empty')).toEqual({ status: 204, url: expect.any(String), headers: {} })
  const long = await outputOf('/long')
  expect(long).toMatchObject({ text: expect.stringMatching(/^"x{99999}$/), note: expect.any(String) })
  for (const path of ['/image', '/zeros']) {
    const output = await outputOf(path)
    expect(output).toMatchObject({ status: 200, note: expect.any(String) })
    expect(output).not.toHaveProperty('text')
  }
})

test('a response of more than 1 MiB, and one that does not arrive in time, become errors that the model reads', async () => {
  const { request, session } = await withAccount(
    (response, { path }) => {
      if (path === '/big') response.end('x'.repeat(1024 * 1024 + 1))
      else if (path !== '/slow') response.end('ok')
    },
    { timeoutSeconds: 1 }
  )
  expect(await request('/big')).toMatchObject({ errorText: expect.any(String) })
  expect(await request('/slow', { method: 'POST', body: 'x' })).toMatchObject({
    errorText: expect.stringMatching(/1 s/)
  })
  expect((await session.runTurn('hello')).outcome).toBe('done')
})

test('a credential that the service repeats is masked in the body and in headers, and is stored nowhere', async () => {
  const { api, sql, session, request } = await withAccount((response, asked) => {
    const token = bearerOf(asked)
    response
      .writeHead(200, {
        'content-type': 'application/json',
        location: `/next?token=${token}`,
        etag: `"${token}"`
      })
      .end(JSON.stringify({ nested: { token }, [token]: 1, note: `It was ${token}.` }))
  })
  const { output } = await request('/echo')
  const token = bearerOf(api.requests[0]!)
  expect(token.length).toBeGreaterThan(20)
  expect(output).toMatchObject({ json: { nested: { token: '••••' }, note: 'It was ••••.' } })
  expect(JSON.stringify([output, await session.get(), session.events])).not.toContain(token)
  expect(await tablesWith(sql, token)).toEqual([])
})
