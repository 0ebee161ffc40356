import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { handlerOf } from '#lib/api/dispatch.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { revokeKey } from '#lib/auth/keys/revoke-key.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const key = { authorization: 'Bearer the-admin-key-of-every-test' }

/** Reads the events of a stream until one matches, then disconnects. */
async function readUntil(response: Response, matches: (event: EventSourceMessage) => boolean) {
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: event => events.push(event) })
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (events.some(matches)) break
  }
  return events
}

const isEnd = ({ event, data }: EventSourceMessage) =>
  event === 'status' && JSON.parse(data).outcome !== undefined

test('a session is streamed as Server-Sent Events whose id is the seq and whose event is the type', async () => {
  const { startSession: open } = await startTestServer()
  const session = await open()
  const response = await requestEndpoint(sessionOperations.follow, {
    params: { sessionId: session.id },
    headers: key
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  await session.send('say hello')
  const events = await readUntil(response, isEnd)
  expect(events[0]?.event).toBe('reset')
  const rest = events.slice(1)
  expect(rest.map(({ id }) => Number(id))).toEqual(rest.map(({ data }) => JSON.parse(data).seq))
  expect(rest.map(({ event }) => event)).toEqual(rest.map(({ data }) => JSON.parse(data).type))
})

test('Last-Event-ID resumes right after the last seen event and repeats none', async () => {
  const { startSession: open } = await startTestServer()
  const session = await open()
  await session.runTurn('say one')
  const params = { sessionId: session.id }
  const all = await readUntil(
    await requestEndpoint(sessionOperations.follow, { params, headers: { ...key, 'last-event-id': '0' } }),
    isEnd
  )
  const seen = Number(all[2]?.id)
  const rest = await readUntil(
    await requestEndpoint(sessionOperations.follow, {
      params,
      headers: { ...key, 'last-event-id': String(seen) }
    }),
    isEnd
  )
  expect(rest).toEqual(all.filter(({ id }) => Number(id) > seen))
})

test('following an unknown session is 404, and an invalid cursor is 422', async () => {
  const { startSession: open } = await startTestServer()
  const session = await open()
  const missing = await requestEndpoint(sessionOperations.follow, {
    params: { sessionId: 'none' },
    headers: key
  })
  expect(missing.status).toBe(404)
  const invalid = await requestEndpoint(sessionOperations.follow, {
    params: { sessionId: session.id },
    headers: { ...key, 'last-event-id': 'x' }
  })
  expect(invalid.status).toBe(422)
})

test('HEAD on a stream responds and leaves no open stream', async () => {
  const { startSession: open } = await startTestServer()
  const { id: sessionId } = await open()
  const GET = handlerOf(sessionOperations.follow)
  const request = new Request(`http://localhost/api/sessions/${sessionId}/events`, {
    method: 'HEAD',
    headers: key
  })
  const response: Response = await GET(request, { sessionId })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(await response.text()).toBe('retry: 1000\n\n')
})

test('an open stream ends once its key is revoked', async () => {
  const { ctx, startSession: open } = await startTestServer({ timing: { accessCheckMs: 50 } })
  const session = await open()
  const { key, secret } = await createKey(ctx, { name: 'reader', role: 'viewer' })
  const response = await requestEndpoint(sessionOperations.follow, {
    params: { sessionId: session.id },
    headers: { authorization: `Bearer ${secret}` }
  })
  const ended = readUntil(response, () => false)
  await revokeKey(ctx, { keyId: key.id })
  await ended
})
