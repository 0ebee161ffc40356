import { encode } from 'next-auth/jwt'
import { beforeAll, expect, test } from 'vitest'
import { members, users } from '#db/schema/workspaces.ts'
import { actorFrom } from '#lib/auth/actor-from.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { listKeys } from '#lib/auth/keys/list-keys.ts'
import { revokeKey } from '#lib/auth/keys/revoke-key.ts'
import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { adminKey, withRuntime } from '#tests/support/servers/test-runtime.ts'

const server = withRuntime()
const owner = (workspaceId = 'default') =>
  ctxFor({ kind: 'person', userId: 'u', name: 'Olga', role: 'owner', workspaceId })

beforeAll(async () => {
  const { db } = server.runtime
  await db.insert(users).values([
    { id: 'ada', name: 'Ada' },
    { id: 'lone', name: 'Nobody’s member' }
  ])
  await db.insert(members).values([
    { workspaceId: 'default', userId: 'ada', role: 'owner', createdAt: new Date(1000) },
    { workspaceId: 'other', userId: 'ada', role: 'viewer', createdAt: new Date(2000) }
  ])
})

const actorOf = (headers: Record<string, string>) =>
  actorFrom(new Request('http://localhost:3000/', { headers }))
const withKey = (secret: string, more = {}) => actorOf({ authorization: `Bearer ${secret}`, ...more })

const cookieOf = (userId: string) => signInCookie(server.runtime, userId)

test('a request without a credential has no actor', async () => {
  expect(await actorOf({})).toBeNull()
})

test('an API key gives its role in its workspace until it is revoked', async () => {
  const { key, secret } = await createKey(owner('other'), { name: 'Deploy', role: 'operator' })
  expect(await withKey(secret)).toEqual({
    kind: 'key',
    keyId: key.id,
    name: 'Deploy',
    role: 'operator',
    workspaceId: 'other',
    outOfBand: { maxPriority: 'high', sources: ['external'] }
  } satisfies Actor)
  await revokeKey(owner('other'), { keyId: key.id })
  expect(await withKey(secret)).toBeNull()
  expect(await listKeys(owner('other'), {})).toEqual({ keys: [] })
})

test('only the SHA-256 of a key is stored, and its last use is recorded', async () => {
  const { secret } = await createKey(owner(), { name: 'Script', role: 'editor' })
  await withKey(secret)
  const rows = await server.runtime.sql`select row_to_json(api_keys)::text as row from api_keys`
  expect(rows.map(({ row }) => row).join()).not.toContain(secret.slice(10))
  const { keys } = await listKeys(owner(), {})
  expect(keys).toMatchObject([{ name: 'Script', prefix: secret.slice(0, 10), createdBy: 'Olga' }])
  expect(Date.now() - Date.parse(keys[0]!.lastUsedAt!)).toBeLessThan(60_000)
})

test('another workspace can neither list nor revoke a key', async () => {
  const { key } = await createKey(owner(), { name: 'Mine', role: 'viewer' })
  const { keys } = await listKeys(owner('other'), {})
  expect(keys.map(({ id }) => id)).not.toContain(key.id)
  await expect(revokeKey(owner('other'), { keyId: key.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test.each<Role>(['viewer', 'operator', 'editor'])(
  'a role below owner (%s) cannot create or list keys',
  async role => {
    const ctx = ctxFor({ kind: 'person', userId: 'u', name: 'V', role, workspaceId: 'default' })
    await expect(createKey(ctx, { name: 'x', role: 'owner' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(listKeys(ctx, {})).rejects.toMatchObject({ code: 'FORBIDDEN' })
  }
)

test('WAYSTATION_API_KEY is an owner of the default workspace', async () => {
  expect(await withKey(adminKey)).toMatchObject({ kind: 'key', role: 'owner', workspaceId: 'default' })
})

test.each([
  'Bearer',
  'Bearer ',
  `Basic ${adminKey}`,
  `Bearer ${adminKey}x`,
  `Bearer ${adminKey} x`,
  'Bearer way_unknown',
  `Bearer, Bearer ${adminKey}`
])('the header "Authorization: %s" is rejected, even with a valid cookie', async authorization => {
  expect(await actorOf({ authorization, cookie: await cookieOf('ada') })).toBeNull()
})

test('a session cookie authenticates its user in the first workspace they joined or in the one they name', async () => {
  const cookie = await cookieOf('ada')
  const ada = { kind: 'person', userId: 'ada', name: 'Ada', signInId: 'signin_of_ada' }
  expect(await actorOf({ cookie })).toEqual({ ...ada, role: 'owner', workspaceId: 'default' })
  expect(await actorOf({ cookie, 'waystation-workspace': 'other' })).toEqual({
    ...ada,
    role: 'viewer',
    workspaceId: 'other'
  })
})

test('the workspace chosen on the pages applies only if the user is a member of it', async () => {
  const cookie = await cookieOf('ada')
  expect(await actorOf({ cookie: `waystation.workspace=other; ${cookie}` })).toMatchObject({
    workspaceId: 'other'
  })
  expect(await actorOf({ cookie: `${cookie}; waystation.workspace=elsewhere` })).toMatchObject({
    workspaceId: 'default'
  })
})

test('naming a workspace without membership invalidates the credential', async () => {
  expect(await actorOf({ cookie: await cookieOf('ada'), 'waystation-workspace': 'elsewhere' })).toBeNull()
  expect(await withKey(adminKey, { 'waystation-workspace': 'other' })).toBeNull()
})

test('a forged, foreign or expired cookie is rejected', async () => {
  expect(await actorOf({ cookie: 'waystation.session=eyJhbGciOiJub25lIn0.e30.' })).toBeNull()
  const good = await cookieOf('ada')
  expect(await actorOf({ cookie: good.replace('waystation.session', 'authjs.session-token') })).toBeNull()
  const name = 'waystation.session'
  const { authSecret } = server.runtime.env
  const actorOfToken = async (token: object, secret = authSecret) =>
    actorOf({ cookie: `${name}=${await encode({ token, secret, salt: name })}` })
  const claims = { sub: 'ada', sid: 'signin_of_ada' }
  expect(await actorOfToken(claims)).not.toBeNull()
  expect(await actorOfToken(claims, 'another secret of the same length')).toBeNull()
  // A cookie of version 0.1.0 names no sign-in.
  expect(await actorOfToken({ sub: 'ada' })).toBeNull()
  expect(await actorOfToken({ ...claims, sub: 'lone' })).toBeNull()
  expect(await actorOf({ cookie: await cookieOf('lone') })).toBeNull()
})

test('a removed member has no access from the next request on', async () => {
  const { db, sql } = server.runtime
  await db.insert(users).values({ id: 'temp', name: 'Temp' })
  await db.insert(members).values({ workspaceId: 'default', userId: 'temp', role: 'editor' })
  const cookie = await cookieOf('temp')
  expect(await actorOf({ cookie })).toMatchObject({ role: 'editor' })
  await sql`update members set role = 'viewer' where user_id = 'temp'`
  expect(await actorOf({ cookie })).toMatchObject({ role: 'viewer' })
  await sql`delete from members where user_id = 'temp'`
  expect(await actorOf({ cookie })).toBeNull()
})
