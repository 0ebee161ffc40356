import { expect, test } from 'vitest'
import type { Operation } from '#lib/http/operation.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { sessionInBodyOperations } from '#lib/http/operations/sessions-in-body.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const call = (operation: Operation, body: object, headers = {}) => callEndpoint(operation, { body, headers })
const { list, get, rename, send, cancel, events } = sessionInBodyOperations

test('000-5: each operation takes the ID in the body and returns the result of its twin as {ok, result}', async () => {
  const { startSession } = await startTestServer()
  const session = await startSession()
  const sessionId = session.id
  const params = { sessionId }

  const sent = await call(send, { sessionId, text: 'say hello' }, { 'idempotency-key': 'once' })
  expect(sent).toMatchObject({ status: 202, body: { ok: true, result: { status: 'started' } } })
  expect(await call(send, { sessionId, text: 'say hello', key: 'once' })).toEqual(sent)
  await session.waitForEnd()

  expect(await call(rename, { sessionId, title: 'Greeting' })).toEqual({
    status: 200,
    body: { ok: true, result: { sessionId, title: 'Greeting' } }
  })
  for (const [inBody, twin, more] of [
    [get, sessionOperations.get, {}],
    [events, sessionOperations.log, { limit: 3 }],
    [cancel, sessionOperations.cancel, {}]
  ] as const) {
    const query = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)]))
    const { body: expected } = await callEndpoint(twin, {
      params,
      query,
      ...(twin.method === 'POST' ? { body: {} } : {})
    })
    expect(await call(inBody, { sessionId, ...more }), inBody.id).toEqual({
      status: 200,
      body: { ok: true, result: expected }
    })
  }
  const listed = await call(list, { q: 'greeting', trouble: false, limit: 1 })
  expect(listed).toMatchObject({ status: 200, body: { ok: true, result: { sessions: [{ id: sessionId }] } } })
  expect(await call(list, { q: 'greeting', trouble: true })).toMatchObject({
    body: { result: { sessions: [] } }
  })
})

test('000-5: an operation reports the errors of its twin, and stores nothing', async () => {
  const { startSession, sql } = await startTestServer()
  const session = await startSession()
  const events = async () =>
    (await sql`select count(*)::int as n from events where session_key = ${session.key}`)[0]?.n
  const before = await events()
  for (const [operation, body, status, code, field] of [
    [send, { text: 'hi' }, 422, 'INVALID_INPUT', 'sessionId'],
    [send, { sessionId: 7, text: 'hi' }, 422, 'INVALID_INPUT', 'sessionId'],
    [send, { sessionId: session.id, text: ' ' }, 400, 'EMPTY_MESSAGE', undefined],
    [rename, { sessionId: session.id, title: '' }, 422, 'INVALID_INPUT', 'title'],
    [get, { sessionId: 'unknown' }, 404, 'NOT_FOUND', undefined],
    [list, { limit: 0 }, 422, 'INVALID_INPUT', 'limit'],
    [list, { trouble: 'perhaps' }, 422, 'INVALID_INPUT', 'trouble']
  ] as const) {
    const { status: actual, body: error } = await call(operation, body)
    expect(
      [actual, error.code, ...Object.keys((error.fields as object) ?? {})],
      JSON.stringify(body)
    ).toEqual([status, code, ...(field === undefined ? [] : [field])])
  }
  expect(await events()).toBe(before)
})
