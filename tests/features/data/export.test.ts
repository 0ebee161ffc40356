import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { jsonLines } from '#lib/http/response/json-lines.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { ExportLine } from '#lib/protocol/session/export.ts'
import { applyEvent, emptyTranscript } from '#lib/protocol/session/fold.ts'
import type { Message } from '#lib/protocol/session/message.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { holds } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { livedWorld, liveIn, liveWithAcme } from '#tests/support/worlds/lived-session.ts'
import { serveApi } from '#tests/support/worlds/serve-api.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const admin = 'the-admin-key-of-every-test'
const bearer = (secret = admin) => ({ authorization: `Bearer ${secret}` })

type Line = ExportLine & Record<string, unknown>

/** The lines of a file, each held against the reference: nothing is missing, nothing undeclared. */
const linesOf = (text: string): Line[] =>
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
  return { headers: response.headers, lines: linesOf(await response.text()) }
}

const kinds = (lines: readonly Line[]) => [...new Set(lines.map(({ type }) => type))]
const roleKey = async (role: 'viewer' | 'operator' | 'editor' | 'owner', workspaceId = 'default') =>
  (await createKey(ctxFor({ kind: 'system', name: 't', workspaceId }), { name: role, role })).secret

test('an export says what it is, then the session and all that is in it, and at its end how much there was', async () => {
  const world = await livedWorld()
  const { session } = await liveIn(world, 'lived', 'ada')
  const { headers, lines } = await exported('lived')
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="lived.jsonl"')
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
  const of = (type: string, field: string) =>
    lines.filter(line => line.type === type).map(line => line[field])
  expect(of('message', 'message')).toEqual(view.messages)
  expect(new Set(of('call', 'call'))).toEqual(new Set(view.calls))
  const counts: Record<string, number> = {}
  for (const { type } of lines.slice(1, -1)) counts[type] = (counts[type] ?? 0) + 1
  expect(lines.at(-1)).toEqual({ type: 'end', counts })
})

test('with `events` the log itself is in it: folded again, it is the session', async () => {
  const world = await livedWorld()
  const { session } = await liveIn(world, 'lived')
  const { lines } = await exported('lived', { events: 'true' })
  const events = lines.flatMap(line => (line.type === 'event' ? [line.event] : []))
  expect(events.map(({ seq }) => seq)).toEqual((await session.log()).map(({ seq }) => seq))
  const folded = events.reduce(applyEvent, emptyTranscript).messages.map(({ message }) => message)
  const shown = ({ id, role, parts }: Message) => ({ id, role, parts })
  expect(folded.map(shown)).toEqual((await session.get()).messages.map(shown))
})

test('what is being written is there as far as it is written', async () => {
  const world = await testWorld({ script: [holds('Half of')] })
  await world.agent({})
  const session = await world.session('test')
  await session.send('go')
  await session.reads('Half of')
  const { lines } = await exported(session.id)
  expect(JSON.stringify(lines)).toContain('Half of')
  world.model.release()
})

test('no secret is in it: neither links, nor tokens, nor what stands behind an address’ path', async () => {
  const world = await livedWorld()
  const { token } = await liveIn(world, 'lived')
  await liveWithAcme(world, 'order-1')
  for (const id of ['lived', 'order-1']) {
    const { lines } = await exported(id, { events: 'true' })
    const text = JSON.stringify(lines)
    for (const secret of [token, '/orders', '/hook', '/in"', 'token=', '/answer/', 'wsl_'])
      expect(text, secret).not.toContain(secret)
  }
  const { lines } = await exported('order-1')
  expect(kinds(lines)).toContain('audit')
})

test('who may read a session may export it, with what they may see of it: owners, viewers, and end users by a token', async () => {
  const world = await livedWorld()
  await liveIn(world, 'lived', 'ada')
  await liveWithAcme(world, 'order-1')
  const told = async (role: 'viewer' | 'owner') =>
    kinds((await exported('order-1', {}, await roleKey(role))).lines)
  expect(await told('owner')).toEqual(['waystation-export', 'session', 'message', 'delivery', 'audit', 'end'])
  expect(await told('viewer')).toEqual(['waystation-export', 'session', 'message', 'delivery', 'end'])
  const mint = async (scopes: string[]) =>
    String(
      (
        await callEndpoint(tokenOperations.create, {
          params: { sessionId: 'lived' },
          body: { subject: 'ada', scopes }
        })
      ).body.token
    )
  const { lines } = await exported('lived', { events: 'true' }, await mint(['read']))
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
  expect((await callEndpoint(sessionOperations.export, { params }, await mint(['send']))).status).toBe(403)
  expect((await callEndpoint(sessionOperations.export, { params: { sessionId: 'none' } })).status).toBe(404)
})

test('an export of an end user has their sessions and nobody else’s; for owners and editors', async () => {
  const world = await livedWorld()
  await liveIn(world, 'first', 'ada')
  await liveIn(world, 'second', 'ada')
  await liveIn(world, 'third', 'bob')
  const asked = (subject: string, secret?: string) =>
    requestEndpoint(subjectOperations.export, { params: { subject }, headers: bearer(secret) })
  const response = await asked('ada')
  expect(response.headers.get('content-disposition')).toContain('"ada.jsonl"')
  const lines = linesOf(await response.text())
  expect(lines[0]).toMatchObject({ subject: 'ada' })
  const ids = lines.flatMap(line => (line.type === 'session' ? [line.session.id] : []))
  expect(ids).toEqual(['first', 'second'])
  expect(new Set(lines.flatMap(({ sessionId }) => (sessionId === undefined ? [] : [sessionId])))).toEqual(
    new Set(ids)
  )
  expect(lines.at(-1)).toMatchObject({ type: 'end', counts: { session: 2 } })
  expect((await asked('ada', await roleKey('editor'))).status).toBe(200)
  expect((await asked('ada', await roleKey('operator'))).status).toBe(403)
  expect((await asked('nobody')).status).toBe(404)
  await world.sql`insert into workspaces (id, name, link_secret) values ('other', 'other', 'x')`
  expect((await asked('ada', await roleKey('owner', 'other'))).status).toBe(404)
})

/** A session with a long past: 4 KB a message. */
async function long(count: number) {
  const world = await testWorld()
  const session = await world.session()
  await world.sql`
    insert into messages (session_key, id, pos, role, message, folded_seq, done, done_at)
    select ${session.key}, 'm-' || n, n, 'user', jsonb_build_object('id', 'm-' || n, 'role', 'user', 'metadata',
      jsonb_build_object('createdAt', '2026-01-01T00:00:00.000Z'), 'parts', jsonb_build_array(
        jsonb_build_object('type', 'text', 'text', repeat('x', 4000)))), n, true, now()
    from generate_series(1, ${count}) n`
  const response = await fetch(`${await serveApi()}/api/sessions/${session.id}/export`, { headers: bearer() })
  return { ...world, session, response }
}

test('a long export comes whole over HTTP, in order', async () => {
  const { response } = await long(3000)
  const lines = linesOf(await response.text())
  const ids = lines.flatMap(line => (line.type === 'message' ? [line.message.id] : []))
  expect(ids).toEqual(Array.from({ length: 3000 }, (_, n) => `m-${n + 1}`))
  expect(lines.at(-1)).toEqual({ type: 'end', counts: { session: 1, message: 3000 } })
})

test('a session that is deleted while it is exported breaks the file off: it has no end', async () => {
  const { ctx, session, response } = await long(20_000)
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await deleteSession(ctx, { sessionId: session.id })
  let text = new TextDecoder().decode(first?.value)
  await expect(
    (async () => {
      for (;;) {
        const read = await reader?.read()
        if (read?.done !== false) return
        text += new TextDecoder().decode(read.value)
      }
    })()
  ).rejects.toThrow()
  expect(text).toContain('"waystation-export"')
  expect(text).not.toContain('"type":"end"')
})

test('nothing is read ahead of a client that does not take it, and one that takes nothing is dropped', async () => {
  let read = 0
  let over = false
  async function* source() {
    try {
      for (;;) yield { n: read++, words: 'x'.repeat(1000) }
    } finally {
      over = true
    }
  }
  const { signal } = new AbortController()
  const response = jsonLines(source(), { signal, name: 'x', pageSize: 10_000, stallMs: 20 })
  const reader = response.body?.getReader()
  expect(read).toBe(0)
  await reader?.read()
  expect(read).toBeLessThan(15)
  await expect.poll(() => over).toBe(true)
  await expect(reader?.read()).rejects.toThrow()
  expect(read).toBeLessThan(15)
})

test('an export ends with the connection, and with the server', async () => {
  const stop = new AbortController()
  let over = false
  async function* source() {
    try {
      for (;;) yield 'x'.repeat(1000)
    } finally {
      over = true
    }
  }
  const cancelled = jsonLines(source(), { signal: stop.signal, name: 'x' })
  const reader = cancelled.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(over).toBe(true)

  const stopped = jsonLines(source(), { signal: stop.signal, name: 'x' }).body?.getReader()
  await stopped?.read()
  stop.abort()
  await expect(stopped?.read()).rejects.toThrow()
})

test('a file is named by letters that every system takes', () => {
  async function* nothing() {}
  const { signal } = new AbortController()
  const response = jsonLines(nothing(), { signal, name: 'ada"\r\n/../ü@acme.example' })
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="ada-acme-example.jsonl"')
})

test('audit rows of an earlier life of a session are in its export', async () => {
  const world = await livedWorld()
  await liveWithAcme(world, 'order-1')
  await callEndpoint(sessionOperations.delete, { body: { sessionId: 'order-1' } })
  await callEndpoint(sessionOperations.create, { body: { agentId: 'acme', sessionId: 'order-1' } })
  const { lines } = await exported('order-1')
  expect(kinds(lines)).toEqual(['waystation-export', 'session', 'audit', 'end'])
  const { entries } = (await callEndpoint(externalOperations.audit)).body
  expect(lines.filter(({ type }) => type === 'audit').map(({ entry }) => entry)).toEqual(entries)
})
