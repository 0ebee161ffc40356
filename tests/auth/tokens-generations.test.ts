import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const { create, list, revoke } = tokenOperations
const forAda = { subject: 'ada', scopes: ['read', 'send'] }

/** Starts a session. `mint` creates tokens for it, and `read` returns the status of a read with a token. */
async function withSession() {
  const server = await startTestServer()
  const { id: sessionId } = await server.startSession()
  const mint = async (body: object = {}, secret?: string) =>
    callEndpoint(create, { params: { sessionId }, body: { ...forAda, ...body } }, secret)
  const read = async (token: unknown) =>
    (await callEndpoint(sessionOperations.get, { params: { sessionId } }, String(token))).status
  return { server, sessionId, mint, read }
}

const rows = ({ sql }: TestServer) =>
  sql<{ row: string }[]>`select row_to_json(session_tokens)::text as row from session_tokens`

test('a token is valid for an hour by default, is shown once, and only its SHA-256 is stored', async () => {
  const { server, mint, read, sessionId } = await withSession()
  const { status, body } = await mint()
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      token: expect.stringMatching(/^wst_[\w-]{43}$/),
      tokenId: expect.stringMatching(/^tok_/),
      expiresAt: expect.any(String)
    }
  })
  const validMs = Date.parse(String(body.expiresAt)) - Date.now()
  expect(validMs).toBeGreaterThan(3_500_000)
  expect(validMs).toBeLessThanOrEqual(3_610_000)
  expect(await read(body.token)).toBe(200)

  const secret = String(body.token).slice('wst_'.length)
  expect((await rows(server)).map(({ row }) => row).join()).not.toContain(secret)
  const listed = await callEndpoint(list, { params: { sessionId } })
  expect(JSON.stringify(listed.body)).not.toContain(secret)
  expect(listed.body).toEqual({
    tokens: [
      {
        tokenId: body.tokenId,
        ...forAda,
        createdBy: 'Environment key',
        createdAt: expect.any(String),
        expiresAt: body.expiresAt
      }
    ]
  })
})

test.each([
  ['no subject', { subject: ' ' }, 'subject'],
  ['a subject that is too long', { subject: 'x'.repeat(256) }, 'subject'],
  ['no scope', { scopes: [] }, 'scopes'],
  ['a duplicate scope', { scopes: ['read', 'read'] }, 'scopes'],
  ['a scope that tokens cannot have', { scopes: ['edit'] }, 'scopes.0'],
  ['a lifetime under a minute', { ttlSeconds: 59 }, 'ttlSeconds'],
  ['a lifetime over a day', { ttlSeconds: 86_401 }, 'ttlSeconds'],
  ['a lifetime with a fraction of a second', { ttlSeconds: 60.5 }, 'ttlSeconds']
])('a token with %s is rejected, and the error names the field', async (_, invalid, field) => {
  const { server, mint } = await withSession()
  const { status, body } = await mint(invalid)
  expect({ status, code: body.code, fields: Object.keys(body.fields as object) }).toEqual({
    status: 422,
    code: 'INVALID_INPUT',
    fields: [field]
  })
  expect(await rows(server)).toEqual([])
})

test('an editor can create, list and revoke tokens, and an operator or a token cannot', async () => {
  const { server, mint, sessionId } = await withSession()
  const keyOf = async (role: 'editor' | 'operator') =>
    (await createKey(server.ctx, { name: role, role })).secret
  const [editor, operator] = [await keyOf('editor'), await keyOf('operator')]
  const { status, body } = await mint({ scopes: ['read', 'send', 'answer'] }, editor)
  expect(status).toBe(201)
  for (const secret of [operator, String(body.token)]) {
    expect(await mint({}, secret)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    for (const operation of [list, revoke])
      expect(
        await callEndpoint(operation, { params: { sessionId, tokenId: String(body.tokenId) } }, secret)
      ).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  }
})

test('a revoked token is rejected at once, is no longer listed, and cannot be revoked again', async () => {
  const { mint, read, sessionId } = await withSession()
  const { body } = await mint()
  const params = { sessionId, tokenId: String(body.tokenId) }
  expect(await callEndpoint(revoke, { params })).toEqual({ status: 200, body: { tokenId: body.tokenId } })
  expect(await read(body.token)).toBe(401)
  expect((await callEndpoint(list, { params })).body).toEqual({ tokens: [] })
  expect(await callEndpoint(revoke, { params })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('a token can be revoked only under its own session and never by another workspace', async () => {
  const { server, mint, read, sessionId } = await withSession()
  const { body } = await mint()
  const other = await server.startSession()
  const tokenId = String(body.tokenId)
  expect((await callEndpoint(revoke, { params: { sessionId: other.id, tokenId } })).status).toBe(404)
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  const eve = await createKey(server.actAs('Eve', 'other'), { name: 'Eve', role: 'owner' })
  expect((await callEndpoint(revoke, { params: { sessionId, tokenId } }, eve.secret)).status).toBe(404)
  expect(await read(body.token)).toBe(200)
})

test('a token expires by the clock of the database', async () => {
  const { server, mint, read, sessionId } = await withSession()
  const { body } = await mint({ ttlSeconds: 60 })
  await server.sql`update session_tokens set expires_at = clock_timestamp() + interval '1 minute'`
  expect(await read(body.token)).toBe(200)
  await server.sql`update session_tokens set expires_at = clock_timestamp()`
  expect(await read(body.token)).toBe(401)
  expect((await callEndpoint(list, { params: { sessionId } })).body).toEqual({ tokens: [] })
})

test('a token ends with the generation of its session: after deletion or recreation with the same ID, it is rejected', async () => {
  const { server, mint, read, sessionId } = await withSession()
  const { body } = await mint()
  const [stored] = await server.sql<{ row: object }[]>`select to_jsonb(t) as row from session_tokens t`
  await deleteSession(server.ctx, { sessionId })
  expect(await read(body.token)).toBe(401)
  expect(await rows(server)).toEqual([])
  // Even if the row still existed, the token would not belong to the new generation.
  await server.sql`insert into session_tokens select * from jsonb_populate_record(null::session_tokens, ${stored?.row ?? null}::jsonb)`
  expect(await read(body.token)).toBe(401)
  await createSession(server.ctx, { agentId: 'guide', sessionId })
  expect(await read(body.token)).toBe(401)
  expect((await callEndpoint(list, { params: { sessionId } })).body).toEqual({ tokens: [] })
})

test('creating a token deletes the expired and revoked tokens of its session', async () => {
  const { server, mint, read, sessionId } = await withSession()
  const [live, revoked, expired] = await Promise.all([mint(), mint(), mint()])
  const other = await server.startSession()
  await callEndpoint(create, { params: { sessionId: other.id }, body: forAda })
  await server.sql`update session_tokens set expires_at = clock_timestamp() where id = ${String(expired.body.tokenId)}`
  await callEndpoint(revoke, { params: { sessionId, tokenId: String(revoked.body.tokenId) } })
  await mint()
  expect(await rows(server)).toHaveLength(3)
  expect(await read(live.body.token)).toBe(200)
})

test('a token with another workspace is rejected, and with its own workspace it works', async () => {
  const { mint, sessionId } = await withSession()
  const { body } = await mint()
  const readIn = async (workspace: string) =>
    (
      await callEndpoint(
        sessionOperations.get,
        { params: { sessionId }, headers: { 'waystation-workspace': workspace } },
        String(body.token)
      )
    ).status
  expect([await readIn('default'), await readIn('other')]).toEqual([200, 401])
})

test('a session can have an end user from its creation, and sessions are listed by end user', async () => {
  const { server } = await withSession()
  const url = await serveApi()
  const createFor = (sessionId: string, subject: string) =>
    createSession(server.ctx, { agentId: 'guide', sessionId, subject })
  for (const id of ['adas', 'adas-too']) await createFor(id, 'ada')
  await createFor('bobs', 'bob')
  const listed = async (subject: string) => {
    const response = await fetch(`${url}/api/sessions?subject=${subject}`, {
      headers: { authorization: 'Bearer the-admin-key-of-every-test' }
    })
    const { sessions } = (await response.json()) as { sessions: { id: string; subject?: string }[] }
    return sessions.map(({ id, subject }) => [id, subject]).sort()
  }
  expect(await listed('ada')).toEqual([
    ['adas', 'ada'],
    ['adas-too', 'ada']
  ])
  expect(await listed('ad')).toEqual([])
  await deleteSession(server.ctx, { sessionId: 'bobs' })
  await createFor('bobs', 'carl')
  expect(await listed('bob')).toEqual([])
  expect(await listed('carl')).toEqual([['bobs', 'carl']])
})
