import { ExportLine } from '@waystation/protocol/session/export.ts'
import {
  applyEvent,
  emptyTranscript,
  type Transcript,
  transcriptOf
} from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { jsonLines } from '#lib/http/response/json-lines.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import {
  createExternalSession,
  createFullSession,
  startFullServer
} from '#tests/support/servers/full-session.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const admin = 'the-admin-key-of-every-test'
const bearer = (secret = admin) => ({ authorization: `Bearer ${secret}` })

type ExportedLine = ExportLine & Record<string, unknown>

/**
 * Parses the lines of a file, and validates each against the reference: no field is missing or undeclared.
 */
const parseLines = (text: string): ExportedLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => {
      const parsed = JSON.parse(line)
      expect(ExportLine.parse(parsed)).toStrictEqual(parsed)
      return parsed
    })

async function exported(sessionId: string, query: Record<string, string> = {}, secret = admin) {
  const response = await requestEndpoint(sessionOperations.export, {
    params: { sessionId },
    query,
    headers: bearer(secret)
  })
  expect(response.status).toBe(200)
  return { headers: response.headers, lines: parseLines(await response.text()) }
}

const kinds = (lines: readonly ExportedLine[]) => [...new Set(lines.map(({ type }) => type))]
const roleKey = async (role: 'viewer' | 'operator' | 'editor' | 'owner', workspaceId = 'default') =>
  (await createKey(ctxFor({ kind: 'system', name: 't', workspaceId }), { name: role, role })).secret

test('an export starts with its kind, contains the whole session, and ends with the totals', async () => {
  const server = await startFullServer()
  const { session } = await createFullSession(server, 'lived', 'ada')
  const { headers, lines } = await exported('lived')
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename=lived.jsonl')
  expect(lines[0]).toEqual({
    type: 'waystation-export',
    version: 1,
    at: expect.any(String),
    sessionId: 'lived'
  })
  expect(lines[1]).toMatchObject({
    type: 'session',
    session: { id: 'lived', agentId: 'all', subject: 'ada', status: 'idle' }
  })
  expect(kinds(lines)).toEqual([
    'waystation-export',
    'session',
    'message',
    'call',
    'out-of-band',
    'delivery',
    'audit',
    'end'
  ])
  const view = await session.get()
  const valuesOf = (type: string, field: string) =>
    lines.filter(line => line.type === type).map(line => line[field])
  expect(valuesOf('message', 'message')).toEqual(view.messages)
  expect(new Set(valuesOf('call', 'call'))).toEqual(new Set(view.calls))
  const counts: Record<string, number> = {}
  for (const { type } of lines.slice(1, -1)) counts[type] = (counts[type] ?? 0) + 1
  expect(lines.at(-1)).toEqual({ type: 'end', counts })
})

test('with `events` an export contains the log, which folds to the session', async () => {
  const server = await startFullServer()
  const { session } = await createFullSession(server, 'lived')
  const { lines } = await exported('lived', { events: 'true' })
  const events = lines.flatMap(line => (line.type === 'event' ? [line.event] : []))
  expect(events.map(({ seq }) => seq)).toEqual((await session.log()).map(({ seq }) => seq))
  const folded = events.reduce(applyEvent, emptyTranscript)
  const { session: _, ...snapshot } = await session.get()
  const visibleMessages = ({ messages }: Transcript) =>
    messages.map(({ message: { id, role, parts } }) => ({ id, role, parts }))
  expect(visibleMessages(folded)).toEqual(visibleMessages(transcriptOf({ ...emptyTranscript, ...snapshot })))
})

test('a message that is being written is exported as far as it is written', async () => {
  const server = await startTestServer({ script: [replyThenHold('Half of')] })
  await server.saveAgent({})
  const session = await server.startSession('test')
  await session.send('go')
  await session.waitForText('Half of')
  const { lines } = await exported(session.id)
  expect(JSON.stringify(lines)).toContain('Half of')
  server.model.release()
})

test('an export contains no secrets: no links, no tokens, and no URL beyond its path', async () => {
  const server = await startFullServer()
  const { token } = await createFullSession(server, 'lived')
  await createExternalSession(server, 'order-1')
  for (const id of ['lived', 'order-1']) {
    const { lines } = await exported(id, { events: 'true' })
    const text = JSON.stringify(lines)
    for (const secret of [token, '/orders', '/hook', '/in"', 'token=', '/answer/', 'wsl_'])
      expect(text, secret).not.toContain(secret)
  }
  const { lines } = await exported('order-1')
  expect(kinds(lines)).toContain('audit')
})

test('each caller who can read a session can export what they can see of it: owners, viewers, and end users with a token', async () => {
  const server = await startFullServer()
  await createFullSession(server, 'lived', 'ada')
  await createExternalSession(server, 'order-1')
  const exportedKinds = async (role: 'viewer' | 'owner') =>
    kinds((await exported('order-1', {}, await roleKey(role))).lines)
  expect(await exportedKinds('owner')).toEqual([
    'waystation-export',
    'session',
    'message',
    'delivery',
    'audit',
    'end'
  ])
  expect(await exportedKinds('viewer')).toEqual([
    'waystation-export',
    'session',
    'message',
    'delivery',
    'end'
  ])
  const createToken = async (scopes: string[]) =>
    String(
      (
        await callEndpoint(tokenOperations.create, {
          params: { sessionId: 'lived' },
          body: { subject: 'ada', scopes }
        })
      ).body.token
    )
  const { lines } = await exported('lived', { events: 'true' }, await createToken(['read']))
  expect(kinds(lines)).toEqual([
    'waystation-export',
    'session',
    'message',
    'call',
    'out-of-band',
    'event',
    'end'
  ])
  expect(JSON.stringify(lines)).not.toContain('"delivery"')
  const params = { sessionId: 'lived' }
  expect((await callEndpoint(sessionOperations.export, { params }, await createToken(['send']))).status).toBe(
    403
  )
  expect((await callEndpoint(sessionOperations.export, { params: { sessionId: 'none' } })).status).toBe(404)
})

test('an export of an end user has only their sessions, and is for owners and editors', async () => {
  const server = await startFullServer()
  await createFullSession(server, 'first', 'ada')
  await createFullSession(server, 'second', 'ada')
  await createFullSession(server, 'third', 'bob')
  const exportSubject = (subject: string, secret?: string) =>
    requestEndpoint(subjectOperations.export, { params: { subject }, headers: bearer(secret) })
  const response = await exportSubject('ada')
  expect(response.headers.get('content-disposition')).toContain('ada.jsonl')
  const lines = parseLines(await response.text())
  expect(lines[0]).toMatchObject({ subject: 'ada' })
  const ids = lines.flatMap(line => (line.type === 'session' ? [line.session.id] : []))
  expect(ids).toEqual(['first', 'second'])
  expect(new Set(lines.flatMap(({ sessionId }) => (sessionId === undefined ? [] : [sessionId])))).toEqual(
    new Set(ids)
  )
  expect(lines.at(-1)).toMatchObject({ type: 'end', counts: { session: 2 } })
  expect((await exportSubject('ada', await roleKey('editor'))).status).toBe(200)
  expect((await exportSubject('ada', await roleKey('operator'))).status).toBe(403)
  expect((await exportSubject('nobody')).status).toBe(404)
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'other', 'x')`
  expect((await exportSubject('ada', await roleKey('owner', 'other'))).status).toBe(404)
})

/** Returns a session with a long history of 4 KB per message. */
async function longSession(count: number) {
  const server = await startTestServer()
  const session = await server.startSession()
  await server.sql`
    insert into messages (session_key, id, pos, role, message, folded_seq, done, done_at)
    select ${session.key}, 'm-' || n, n, 'user', jsonb_build_object('id', 'm-' || n, 'role', 'user', 'metadata',
      jsonb_build_object('createdAt', '2026-01-01T00:00:00.000Z'), 'parts', jsonb_build_array(
        jsonb_build_object('type', 'text', 'text', repeat('x', 4000)))), n, true, now()
    from generate_series(1, ${count}) n`
  const response = await fetch(`${await serveApi()}/api/sessions/${session.id}/export`, { headers: bearer() })
  return { ...server, session, response }
}

test('a long export arrives complete and in order over HTTP', async () => {
  const { response } = await longSession(3000)
  const lines = parseLines(await response.text())
  const ids = lines.flatMap(line => (line.type === 'message' ? [line.message.id] : []))
  expect(ids).toEqual(Array.from({ length: 3000 }, (_, n) => `m-${n + 1}`))
  expect(lines.at(-1)).toEqual({ type: 'end', counts: { session: 1, message: 3000 } })
})

test('deleting a session during its export breaks the file off, so that it has no end line', async () => {
  const { ctx, session, response } = await longSession(20_000)
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await deleteSession(ctx, { sessionId: session.id })
  let text = new TextDecoder().decode(first?.value)
  await expect(
    (async () => {
      for (;;) {
        const piece = await reader?.read()
        if (piece?.done !== false) return
        text += new TextDecoder().decode(piece.value)
      }
    })()
  ).rejects.toThrow()
  expect(text).toContain('"waystation-export"')
  expect(text).not.toContain('"type":"end"')
})

test('nothing is read ahead of a slow client, and a client that reads nothing is dropped', async () => {
  let readCount = 0
  let isFinished = false
  async function* source() {
    try {
      for (;;) yield { n: readCount++, words: 'x'.repeat(1000) }
    } finally {
      isFinished = true
    }
  }
  const { signal } = new AbortController()
  const response = jsonLines(source(), { signal, name: 'x', pageSize: 10_000, stallMs: 20 })
  const reader = response.body?.getReader()
  expect(readCount).toBe(0)
  await reader?.read()
  expect(readCount).toBeLessThan(15)
  await expect.poll(() => isFinished).toBe(true)
  await expect(reader?.read()).rejects.toThrow()
  expect(readCount).toBeLessThan(15)
})

test('an export ends with its connection, and with the server', async () => {
  const stop = new AbortController()
  let isClosed = false
  async function* source() {
    try {
      for (;;) yield 'x'.repeat(1000)
    } finally {
      isClosed = true
    }
  }
  const cancelled = jsonLines(source(), { signal: stop.signal, name: 'x' })
  const reader = cancelled.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(isClosed).toBe(true)

  const stoppedBody = jsonLines(source(), { signal: stop.signal, name: 'x' }).body?.getReader()
  await stoppedBody?.read()
  stop.abort()
  await expect(stoppedBody?.read()).rejects.toThrow()
})

test('a file name has only characters that every system accepts', () => {
  async function* noLines() {}
  const { signal } = new AbortController()
  const response = jsonLines(noLines(), { signal, name: 'ada"\r\n/../ü@acme.example' })
  expect(response.headers.get('content-disposition')).toBe('attachment; filename=ada-acme-example.jsonl')
})

test('audit rows of an earlier generation of a session are in its export', async () => {
  const server = await startFullServer()
  await createExternalSession(server, 'order-1')
  await callEndpoint(sessionOperations.delete, { body: { sessionId: 'order-1' } })
  await callEndpoint(sessionOperations.create, { body: { agentId: 'acme', sessionId: 'order-1' } })
  const { lines } = await exported('order-1')
  expect(kinds(lines)).toEqual(['waystation-export', 'session', 'audit', 'end'])
  const { entries } = (await callEndpoint(externalOperations.audit)).body
  const listed = (entries as Record<string, unknown>[]).map(({ sessionTitle: _, ...entry }) => entry)
  expect(lines.filter(({ type }) => type === 'audit').map(({ entry }) => entry)).toEqual(listed)
})
