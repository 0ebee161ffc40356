import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import type { Operation } from '#lib/http/operation.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { readText } from '#lib/http/request/read-text.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint, type EndpointCall } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const { send, get, list, follow, create, delete: remove, cancel } = sessionOperations
const { saveIntegration } = connectionOperations
const { answer, extend, cancel: cancelOne } = callOperations
const question = {
  name: 'ask-question',
  input: { question: 'Which?', options: [{ label: 'tea' }, { label: 'coffee' }], allowFreeform: false }
}

/** Starts a session with a pending question, and creates an API key of another workspace. */
async function startWaiting() {
  const server = await startTestServer({ script: [replyCalls(question)] })
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  const otherKey = await createKey(server.actAs('Eve', 'other'), { name: 'Eve', role: 'owner' })
  const session = await server.startSession()
  await session.runTurn('offer')
  const { toolCallId } = await session.waitForCall('ask-question')
  return { ...server, session, toolCallId, stranger: otherKey.secret }
}

/** Returns all rows of all tables with session data. */
const allRows = async ({ sql }: Pick<TestServer, 'sql'>) => {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'session_key' order by 1`
  return Promise.all(
    ['sessions', ...tables.map(({ name }) => name)].map(
      table => sql`select ${table} as of, row.* from ${sql(table)} row order by row::text`
    )
  )
}

type InvalidRequest = EndpointCall & { by?: 'stranger' }
const text = { body: { text: 'x' } }
const answerTea = { body: { output: { answer: 'tea' } } }
const huge = 'x'.repeat(3_000_000)
const MiB = 1024 * 1024
/** Creates an answer that has this many bytes as JSON. */
const answerOf = (bytes: number) => {
  const overhead = JSON.stringify({ output: { answer: '' } }).length
  return { output: { answer: huge.slice(0, bytes - overhead) } }
}
const mcp = { config: { service: 'X', apiBase: 'https://x.example', mcp: { url: 'nonsense' } } }
const asStranger = { by: 'stranger' } as const

/**
 * The invalid requests: description, operation, request, and the expected status and code. Path parameters default
 * to the waiting session.
 */
const cases: [what: string, door: Operation, asked: InvalidRequest, status: number, code: string][] = [
  ['a message to nobody', send, { ...text, params: { sessionId: 'nobody' } }, 404, 'NOT_FOUND'],
  ['a message to no ID', send, { ...text, params: { sessionId: "'; drop table heads" } }, 404, 'NOT_FOUND'],
  ['a message of broken JSON', send, { raw: '{"text": "hel' }, 400, 'MALFORMED_JSON'],
  ['an answer of broken JSON', answer, { raw: '{"output"' }, 400, 'MALFORMED_JSON'],
  ['a message of 3 MB', send, { body: { text: huge } }, 413, 'TOO_LARGE'],
  ['a message over 256 KiB', send, { body: { text: huge.slice(0, 262_200) } }, 413, 'TOO_LARGE'],
  ['an answer of 3 MB', answer, { body: { output: { answer: huge } } }, 413, 'TOO_LARGE'],
  ['an answer of 1.5 MiB', answer, { body: answerOf(1.5 * MiB) }, 413, 'TOO_LARGE'],
  ['an answer of 1 MiB and a byte', answer, { body: answerOf(MiB + 1) }, 413, 'TOO_LARGE'],
  ['an answer of 1 MiB that is none of the options', answer, { body: answerOf(MiB) }, 422, 'INVALID_INPUT'],
  ['an empty message', send, { body: { text: ' \n' } }, 400, 'EMPTY_MESSAGE'],
  ['a message that is a number', send, { body: { text: 7 } }, 422, 'INVALID_INPUT'],
  ['an unknown whenBusy', send, { body: { text: 'x', whenBusy: 'now' } }, 422, 'INVALID_INPUT'],
  ['an answer that is no option', answer, { body: { output: { answer: 'water' } } }, 422, 'INVALID_INPUT'],
  ['an option and NUL', answer, { raw: '{"output":{"answer":"tea\\u0000\\ud800"}}' }, 422, 'INVALID_INPUT'],
  ['an approval of a question', answer, { body: { approved: true } }, 422, 'INVALID_INPUT'],
  ['two answers in one', answer, { body: { ...answerTea.body, approved: true } }, 422, 'INVALID_INPUT'],
  ['an answer in no form', answer, { body: {} }, 422, 'INVALID_INPUT'],
  ['a forged call', answer, { ...answerTea, params: { toolCallId: 'call_forged' } }, 404, 'NOT_FOUND'],
  ['a deadline in the past', extend, { body: { until: '2001-01-01T00:00:00Z' } }, 422, 'INVALID_INPUT'],
  ["a look at another workspace's session", get, asStranger, 404, 'NOT_FOUND'],
  ["a message to another workspace's session", send, { ...text, ...asStranger }, 404, 'NOT_FOUND'],
  ["an answer in another workspace's session", answer, { ...answerTea, ...asStranger }, 404, 'NOT_FOUND'],
  ["a cancel of another workspace's call", cancelOne, { body: {}, ...asStranger }, 404, 'NOT_FOUND'],
  [
    "a stop of another workspace's session",
    cancel,
    { body: { calls: true }, ...asStranger },
    404,
    'NOT_FOUND'
  ],
  ['an ID with a space', create, { body: { agentId: 'guide', sessionId: 'a b' } }, 400, 'INVALID_SESSION_ID'],
  ['an agent that is not there', create, { body: { agentId: 'nobody' } }, 400, 'AGENT_NOT_FOUND'],
  ['a deletion of nothing', remove, { body: { sessionId: 'nobody' } }, 404, 'NOT_FOUND'],
  ['an answer of 1e999', answer, { raw: '{"output":{"answer":1e999}}' }, 422, 'INVALID_INPUT'],
  ['a gzip body', send, { ...text, headers: { 'content-encoding': 'gzip' } }, 415, 'UNSUPPORTED_TYPE'],
  ['a cursor of 0x10', follow, { query: { after: '0x10' } }, 422, 'INVALID_INPUT'],
  ['a Last-Event-ID of 0x10', follow, { headers: { 'last-event-id': '0x10' } }, 422, 'INVALID_INPUT'],
  ['a limit of 1e1', list, { query: { limit: '1e1' } }, 422, 'INVALID_INPUT'],
  [
    'an MCP address that is none',
    saveIntegration,
    { params: { integration: 'x' }, body: mcp },
    422,
    'INVALID_INPUT'
  ]
]

test('22 B6: every kind of invalid input over HTTP gets its error code and changes nothing', async () => {
  const server = await startWaiting()
  const ownParams = { sessionId: server.session.id, toolCallId: server.toolCallId }
  const before = await allRows(server)
  for (const [what, operation, { by, params, ...request }, status, code] of cases) {
    const secret = by === 'stranger' ? server.stranger : undefined
    const reply = await callEndpoint(operation, { ...request, params: { ...ownParams, ...params } }, secret)
    expect({ status: reply.status, code: reply.body.code }, what).toEqual({ status, code })
    expect(reply.body.error, what).toMatch(/^\S.{8,}\.$/s)
    expect(await allRows(server), what).toEqual(before)
  }
})

test('a client that disconnects in the middle of its body causes INVALID_INPUT, not a server error', async () => {
  const aborted = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"agentId"'))
      controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    }
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: aborted, duplex: 'half' }
  await expect(readText(new Request('http://localhost/', init), 1024)).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
})

test('NUL and lone surrogates in a message over HTTP become U+FFFD', async () => {
  const server = await startTestServer({ script: [replyText('Fine.')] })
  const session = await server.startSession()
  const ended = session.waitForEnd()
  const { status } = await callEndpoint(send, {
    params: { sessionId: session.id },
    raw: '{"text":"a\\u0000b\\ud800c"}'
  })
  expect(status).toBe(202)
  await ended
  expect((await session.get()).messages[0]?.parts).toEqual([{ type: 'text', text: 'a\ufffdb\ufffdc' }])
})

test("an answer to a running server tool is 409 NOT_ANSWERABLE in every form, and the tool's own result is recorded", async () => {
  const pageReady = Promise.withResolvers<void>()
  const externalSystem = await startExternalSystem(
    response => void pageReady.promise.then(() => response.end('the page'))
  )
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'web-fetch', input: { url: `${externalSystem.url}/page` } }),
      replyText('Read.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session: TestSession = await server.startSession('test')
  const ended = session.waitForEnd()
  await session.send('fetch')
  await externalSystem.request(0)
  const event = await session.waitForEvent(
    event => event.type === 'call' && event.call.claimedAt !== undefined
  )
  const params = { sessionId: session.id, toolCallId: 'call' in event ? event.call.toolCallId : '' }
  const before = await allRows(server)
  for (const body of [{ output: 'mine' }, { error: 'mine' }, { approved: true }, { declined: true }])
    expect(await callEndpoint(answer, { params, body })).toMatchObject({
      status: 409,
      body: { code: 'NOT_ANSWERABLE' }
    })
  expect(await allRows(server)).toEqual(before)
  pageReady.resolve()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(JSON.stringify(server.model.requests[1]?.body.messages)).toContain('the page')
})

test('an error that is a sentence ends with one full stop in the message and none in the field', async () => {
  await startTestServer()
  const response = await callEndpoint(saveIntegration, {
    params: { integration: 'My-Desk' },
    body: { config: {} }
  })
  expect(response).toMatchObject({
    status: 422,
    body: {
      error: expect.stringMatching(/"integration" .*[^.]\.$/),
      fields: { integration: expect.any(String) }
    }
  })
})
