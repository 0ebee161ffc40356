import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Pool } from '#db/client.ts'
import { acceptInvite } from '#lib/api/accept-invite.ts'
import { getInvitation, join } from '#lib/auth/members/join.ts'
import { claimLink } from '#lib/auth/sign-in/claim.ts'
import { identityFromToken } from '#lib/auth/sign-in/identity-from-token.ts'
import { toLocalPath } from '#lib/auth/sign-in/to-local-path.ts'
import type { Operation } from '#lib/http/operation.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import type { Role } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import type { SignIn } from '#lib/kernel/settings/sign-in-providers.ts'
import { type EndpointCall, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { lockWaits } from '#tests/support/servers/lock-waits.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { adminKey, withRuntime } from '#tests/support/servers/test-runtime.ts'

const origin = 'http://localhost:3000'
const server = withRuntime({ AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' })

/** Creates a user. With a role, the user is a member of the default workspace. */
async function addUser(id: string, role?: Role) {
  const { sql } = server.runtime
  await sql`insert into users (id, name) values (${id}, ${id.toUpperCase()}) on conflict do nothing`
  if (role !== undefined)
    await sql`insert into members (workspace_id, user_id, role) values ('default', ${id}, ${role})`
}

const cookieOf = (id: string) => signInCookie(server.runtime, id)

/** Calls an operation as a page does for this user, or with the admin key if `id` is null. */
async function callAs(id: string | null, operation: Operation, request: EndpointCall = {}) {
  const headers: Record<string, string> =
    id === null ? { authorization: `Bearer ${adminKey}` } : { cookie: await cookieOf(id), origin }
  const response = await requestEndpoint(operation, { ...request, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const invite = async (inviter: string | null, body: object) => {
  const { status, body: created } = await callAs(inviter, memberOperations.invite, { body })
  expect({ status, made: created }).toMatchObject({ status: 201 })
  return { id: String(created.id), token: String(created.url).replace(`${origin}/join/`, ''), made: created }
}

/** Submits the page of an invite link. */
async function accept(token: string, id: string, headers: Record<string, string> = { origin }) {
  const response = await acceptInvite(
    new Request(`${origin}/join/${token}/accept`, {
      method: 'POST',
      headers: { cookie: await cookieOf(id), ...headers }
    }),
    { token }
  )
  return { status: response.status, to: response.headers.get('location') }
}

const roles = async () => {
  const rows = await server.runtime.sql<{ id: string; role: Role }[]>`
    select user_id as id, role from members where workspace_id = 'default'`
  return Object.fromEntries(rows.map(({ id, role }) => [id, role]))
}

beforeEach(async () => {
  const { sql } = server.runtime
  await sql`delete from invites`
  await sql`delete from users`
  await addUser('olga', 'owner')
})

/** Connects an account of this user at a service. */
const connectAccount = (userId: string) => server.runtime.sql`
  insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, connected_by,
    connected_at, updated_at)
  values (${`conn_${userId}`}, 'default', 'github', 'github', 'user', ${`person:${userId}`}, ${userId}, 'oauth', 'active',
    ${userId}, now(), now())`

describe('an invite link', () => {
  test('is shown once, is stored as a hash, has an expiry, and admits one user with its role', async () => {
    const { made, token, id } = await invite('olga', { role: 'operator' })
    expect(Object.keys(made).sort()).toEqual(['expiresAt', 'id', 'url'])
    expect(token).toMatch(/^[\w-]{43}$/)
    const ends = Date.parse(String(made.expiresAt)) - Date.now()
    expect(ends / 86_400_000).toBeCloseTo(7, 1)
    expect(JSON.stringify(await server.runtime.sql`select * from invites`)).not.toContain(token)
    const { body } = await callAs('olga', memberOperations.invites)
    expect(body.invites).toMatchObject([{ id, role: 'operator', createdBy: 'OLGA' }])
    expect(JSON.stringify(body)).not.toContain(token)

    await addUser('bob')
    expect(await getInvitation(token, 'bob')).toMatchObject({ workspaceName: 'default', createdBy: 'OLGA' })
    expect(await getInvitation(token, 'bob')).not.toHaveProperty('over')
    expect(await accept(token, 'bob')).toEqual({ status: 303, to: '/sessions' })
    expect(await roles()).toEqual({ olga: 'owner', bob: 'operator' })
    await addUser('eve')
    expect(await accept(token, 'eve')).toEqual({ status: 303, to: `/join/${token}` })
    expect(await getInvitation(token, 'eve')).toMatchObject({ over: 'used' })
    expect((await callAs('olga', memberOperations.invites)).body.invites).toEqual([])
  })

  test('admits exactly one of many simultaneous users, and the others see that it is used', async () => {
    const { token } = await invite('olga', { role: 'viewer' })
    const crowd = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const id of crowd) await addUser(id)
    const answers = await Promise.all(crowd.map(id => accept(token, id)))
    expect(answers.filter(({ to }) => to === '/sessions')).toHaveLength(1)
    expect(Object.keys(await roles())).toHaveLength(2)
    const offers = await Promise.all(crowd.map(id => getInvitation(token, id)))
    expect(offers.filter(offer => offer?.over === 'used')).toHaveLength(crowd.length)
    expect(offers.filter(offer => offer?.member !== undefined)).toHaveLength(1)
  })

  test('admits one of two users who accept at the same time', async () => {
    const sql = server.runtime.sql as Pool
    const { token, id } = await invite('olga', { role: 'viewer' })
    for (const userId of ['a', 'b']) await addUser(userId)
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const transaction = sql.begin(async tx => {
      await tx`select from invites where id = ${id} for update`
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const responses = Promise.all(['a', 'b'].map(userId => accept(token, userId)))
    await lockWaits(sql, 2)
    release.resolve()
    await transaction
    expect((await responses).map(({ to }) => to).sort()).toEqual([`/join/${token}`, '/sessions'])
    expect(Object.keys(await roles())).toHaveLength(2)
  })

  test('adds a user once who accepts twice at the same time', async () => {
    const { token } = await invite('olga', { role: 'viewer' })
    await addUser('bob')
    await Promise.all([accept(token, 'bob'), accept(token, 'bob')])
    expect(await roles()).toEqual({ olga: 'owner', bob: 'viewer' })
  })

  test('reports if it was revoked, has expired or does not exist', async () => {
    await addUser('bob')
    const [revoked, expired] = [
      await invite('olga', { role: 'viewer' }),
      await invite('olga', { role: 'viewer' })
    ]
    const inviteParams = { params: { inviteId: revoked.id } }
    expect((await callAs('olga', memberOperations.revoke, inviteParams)).status).toBe(200)
    expect((await callAs('olga', memberOperations.revoke, inviteParams)).status).toBe(404)
    await server.runtime.sql`update invites set expires_at = clock_timestamp() where id = ${expired.id}`
    expect(await getInvitation(revoked.token, 'bob')).toMatchObject({ over: 'revoked' })
    expect(await getInvitation(expired.token, 'bob')).toMatchObject({ over: 'expired' })
    expect(await getInvitation(`${expired.token}x`, 'bob')).toBeUndefined()
    for (const token of [revoked.token, expired.token, 'none'])
      expect(await accept(token, 'bob')).toEqual({ status: 303, to: `/join/${token}` })
    expect(await roles()).toEqual({ olga: 'owner' })
  })

  test('is not used up by a member, whose role stays the same', async () => {
    await addUser('ed', 'editor')
    const { token } = await invite('olga', { role: 'viewer' })
    expect((await accept(token, 'ed')).to).toBe('/sessions')
    expect(await roles()).toMatchObject({ ed: 'editor' })
    expect(await getInvitation(token, 'ed')).toMatchObject({ member: 'editor' })
    await addUser('bob')
    expect((await accept(token, 'bob')).to).toBe('/sessions')
    expect(await roles()).toMatchObject({ bob: 'viewer' })
  })

  test('is accepted only by a signed-in user on our own page', async () => {
    const { token } = await invite('olga', { role: 'viewer' })
    await addUser('bob')
    expect((await accept(token, 'bob', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await accept(token, 'bob', {})).status).toBe(403)
    expect(await accept(token, 'nobody')).toEqual({ status: 303, to: `/join/${token}` })
    expect(await roles()).toEqual({ olga: 'owner' })
    expect(await getInvitation(token, 'bob')).not.toHaveProperty('over')
  })

  test('is valid for at least a minute and at most thirty days', async () => {
    for (const ttlSeconds of [0, 59, 30 * 86_400 + 1, 1.5])
      expect(
        (await callAs('olga', memberOperations.invite, { body: { role: 'viewer', ttlSeconds } })).status
      ).toBe(422)
    await invite('olga', { role: 'viewer', ttlSeconds: 30 * 86_400 })
  })

  test('is revoked if its owner is removed or demoted', async () => {
    await addUser('una', 'owner')
    await addUser('pam', 'owner')
    const links = [await invite('una', { role: 'owner' }), await invite('pam', { role: 'owner' })]
    const remaining = await invite('olga', { role: 'viewer' })
    await connectAccount('una')
    await connectAccount('olga')
    await callAs('olga', memberOperations.remove, { params: { userId: 'una' } })
    const connections = await server.runtime.sql`select owner from connections`
    expect(connections).toEqual([{ owner: 'person:olga' }])
    await server.runtime.sql`delete from connections`
    await callAs('olga', memberOperations.changeRole, { params: { userId: 'pam' }, body: { role: 'editor' } })
    for (const { token } of links) expect(await getInvitation(token, null)).toMatchObject({ over: 'revoked' })
    expect(await getInvitation(remaining.token, null)).not.toHaveProperty('over')
  })
})

describe('members', () => {
  test('see each other, but only owners see sign-in accounts', async () => {
    await addUser('vic', 'viewer')
    await server.runtime.sql`
      insert into identities (issuer, subject, user_id, provider, label, created_at, seen_at)
      values ('https://github.com', '7', 'olga', 'github', 'olga-gh', now(), now())`
    const { body } = await callAs('olga', memberOperations.list)
    expect(body.members).toMatchObject([
      { userId: 'olga', name: 'OLGA', role: 'owner', account: { provider: 'github', label: 'olga-gh' } },
      { userId: 'vic', role: 'viewer' }
    ])
    const viewerList = (await callAs('vic', memberOperations.list)).body
    expect(viewerList.members).toHaveLength(2)
    expect(JSON.stringify(viewerList)).not.toContain('olga-gh')
  })

  test.each<Role>(['viewer', 'operator', 'editor'])(
    'a member with the role %s can leave, but not remove, promote or invite',
    async role => {
      await addUser('mo', role)
      const removeOlga = { params: { userId: 'olga' } }
      expect((await callAs('mo', memberOperations.remove, removeOlga)).status).toBe(403)
      const promoteSelf = { params: { userId: 'mo' }, body: { role: 'owner' } }
      expect((await callAs('mo', memberOperations.changeRole, promoteSelf)).status).toBe(403)
      expect((await callAs('mo', memberOperations.invite, { body: { role: 'owner' } })).status).toBe(403)
      expect((await callAs('mo', memberOperations.invites)).status).toBe(403)
      expect((await callAs('mo', memberOperations.remove, { params: { userId: 'mo' } })).status).toBe(200)
      expect((await callAs('mo', memberOperations.list)).status).toBe(401)
      expect(await roles()).toEqual({ olga: 'owner' })
    }
  )

  test('the last owner can be neither removed nor demoted, nor leave, but can with another owner', async () => {
    const olgaParams = { params: { userId: 'olga' } }
    for (const caller of ['olga', null]) {
      const demoted = await callAs(caller, memberOperations.changeRole, {
        ...olgaParams,
        body: { role: 'editor' }
      })
      expect(demoted).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
      expect(demoted.body.error).toContain('OLGA')
      expect((await callAs(caller, memberOperations.remove, olgaParams)).status).toBe(409)
    }
    await addUser('una', 'owner')
    expect((await callAs('olga', memberOperations.remove, olgaParams)).status).toBe(200)
    expect(await roles()).toEqual({ una: 'owner' })
  })

  test('if two owners demote or remove each other at once, one remains', async () => {
    for (let round = 0; round < 5; round++) {
      await server.runtime.sql`delete from members`
      for (const id of ['x', 'y']) await addUser(id, 'owner')
      const requests = ['x', 'y'].map(id =>
        round % 2 === 0
          ? callAs(null, memberOperations.changeRole, { params: { userId: id }, body: { role: 'viewer' } })
          : callAs(null, memberOperations.remove, { params: { userId: id } })
      )
      expect((await Promise.all(requests)).map(({ status }) => status).sort()).toEqual([200, 409])
      expect(Object.values(await roles()).filter(role => role === 'owner')).toHaveLength(1)
    }
  })

  test('the local owner, who cannot sign in with a provider, is not considered an owner', async () => {
    await addUser('local-owner', 'owner')
    const olgaParams = { params: { userId: 'olga' } }
    expect((await callAs(null, memberOperations.remove, olgaParams)).status).toBe(409)
    expect((await callAs('local-owner', memberOperations.list)).status).toBe(401)
  })
})

describe('the first owner', () => {
  beforeEach(async () => {
    await server.runtime.sql`delete from members`
    await addUser('local-owner', 'owner')
    await addUser('ada')
  })
  const claimToken = async () => String(await claimLink()).replace(`${origin}/join/`, '')

  test('has a claim link that stays the same until it is used, and of which only a hash is stored', async () => {
    const [first, second] = await Promise.all([claimToken(), claimToken()])
    expect(second).toBe(first)
    const rows = await server.runtime.sql`select * from invites`
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(first)
    expect((await callAs(null, memberOperations.invites)).body.invites).toEqual([])
    expect((await accept(first, 'ada')).to).toBe('/sessions')
    expect(await claimLink()).toBeUndefined()
  })

  test('is only one of several simultaneous users', async () => {
    const token = await claimToken()
    const crowd = ['ada', 'b', 'c', 'd']
    for (const id of crowd) await addUser(id)
    const answers = await Promise.all(crowd.map(id => accept(token, id)))
    expect(answers.filter(({ to }) => to === '/sessions')).toHaveLength(1)
    expect(Object.values(await roles())).toEqual(['owner'])
  })

  test('can be an existing member, who becomes the owner', async () => {
    await server.runtime
      .sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'viewer')`
    expect((await accept(await claimToken(), 'ada')).to).toBe('/sessions')
    expect(await roles()).toEqual({ ada: 'owner' })
  })

  test('can also accept an invite created with an API key, which ends the claim link', async () => {
    const token = await claimToken()
    const { token: inviteToken } = await invite(null, { role: 'owner' })
    await addUser('bob')
    expect((await accept(inviteToken, 'bob')).to).toBe('/sessions')
    expect(await roles()).toEqual({ bob: 'owner' })
    expect(await getInvitation(token, 'ada')).toMatchObject({ over: 'used' })
    expect((await accept(token, 'ada')).to).toBe(`/join/${token}`)
    expect(await roles()).toEqual({ bob: 'owner' })
  })

  test('inherits all data of the local owner in all workspaces, while authors keep their names', async () => {
    const { sql } = server.runtime
    const local = ctxFor({ kind: 'system', name: 'Local owner', workspaceId: 'default' })
    await sql`insert into members (workspace_id, user_id, role) values ('other', 'local-owner', 'owner')`
    await sql`update users set settings = '{"theme": "dark"}' where id = 'local-owner'`
    await sql`
      insert into api_keys (id, workspace_id, name, hash, prefix, created_by)
      values ('k1', 'default', 'Script', 'h1', 'way_', 'Local owner'), ('k2', 'default', 'Job', 'h2', 'way_', 'Somebody')`
    const { createAgent } = await import('#lib/agents/create.ts')
    const answer = { people: ['local-owner', 'bob'] }
    await createAgent(
      local,
      AgentConfig.parse({
        agentId: 'helper',
        displayName: 'local-owner',
        chat: { answer, instructions: 'Say "local-owner".', tools: [{ name: 'ask-question', answer }] }
      })
    )
    const [session] = await sql<{ key: number }[]>`
      insert into sessions (workspace_id, id, agent_id, created_by, client_tools, overlay)
      values ('default', 's', 'helper', 'Local owner',
        '[{"name": "pick", "declaredBy": ["x", "local-owner"]}, {"name": "local-owner", "declaredBy": ["y"]}]',
        '{"tools": [{"name": "local-owner", "answer": {"people": ["local-owner", "bob"]}}], "skills": []}')
      returning key`
    const key = session!.key
    await sql`
      insert into messages (session_key, id, pos, role, message, folded_seq, sender)
      values (${key}, 'm', 1, 'user', '{}', 1, '{"id": "person:local-owner", "name": "Local owner", "also": [{"id": "person:local-owner"}]}')`
    await sql`
      insert into session_authors (session_key, id, name)
      values (${key}, 'person:local-owner', 'Local owner'), (${key}, 'person:bob', 'Bob')`
    await sql`
      insert into calls (session_key, tool_call_id, workspace_id, generation, tool_name, kind, "where", message_id, turn_id,
        since, deadline, on_deadline, answerers)
      values (${key}, 'c', 'default', 1, 'web-fetch', 'approval', 'server', 'm', 't', now(), now(), 'decline',
        '{"links": false, "askers": [{"id": "person:local-owner", "name": "Local owner"}]}')`

    await sql`update agents set draft = config, draft_base = 1, draft_by = 'Ann' where id = 'helper'`
    await connectAccount('local-owner')

    await join(await claimToken(), 'ada')

    expect(await sql`select owner, owner_name as name from connections`).toEqual([
      { owner: 'person:ada', name: expect.any(String) }
    ])
    expect(await sql`select workspace_id as w, user_id as u, role from members order by 1`).toEqual([
      { w: 'default', u: 'ada', role: 'owner' },
      { w: 'other', u: 'ada', role: 'owner' }
    ])
    expect(await sql`select settings::text from users where id = 'ada'`).toEqual([
      { settings: '{"theme": "dark"}' }
    ])
    expect(await sql`select created_by from api_keys order by id`).toEqual([
      { createdBy: 'ADA' },
      { createdBy: 'Somebody' }
    ])
    const agent = await callAs('ada', agentOperations.get, { params: { agentId: 'helper' } })
    const newAnswer = { people: ['ada', 'bob'] }
    expect(agent.body).toMatchObject({
      displayName: 'local-owner',
      chat: {
        answer: newAnswer,
        instructions: 'Say "local-owner".',
        tools: [{ name: 'ask-question', answer: newAnswer }]
      }
    })
    expect(agent.body.revision).toBe(2)
    const { body } = await callAs('ada', agentOperations.revisions, { params: { agentId: 'helper' } })
    expect(body.revisions).toMatchObject([
      {
        revision: 2,
        savedBy: 'ADA',
        note: 'Replaced Local owner with the new owner.',
        config: { chat: { answer: newAnswer } }
      },
      { revision: 1, config: { chat: { answer: { people: ['local-owner', 'bob'] } } } }
    ])
    const drafted = await callAs('ada', agentOperations.draft, { params: { agentId: 'helper' } })
    expect(drafted.body).toMatchObject({
      draft: { base: 2, config: { chat: { answer: newAnswer } } },
      version: 1
    })
    const Tools = z.array(z.object({ name: z.string(), declaredBy: z.array(z.string()) }))
    const [sessionRow] = await sql<{ createdBy: string; tools: string; overlay: object }[]>`
      select created_by, client_tools::text as tools, overlay from sessions where id = 's'`
    expect(sessionRow!.overlay).toEqual({ tools: [{ name: 'local-owner', answer: newAnswer }], skills: [] })
    expect(sessionRow!.createdBy).toBe('Local owner')
    expect(Tools.parse(JSON.parse(sessionRow!.tools))).toEqual([
      { name: 'pick', declaredBy: ['x', 'ada'] },
      { name: 'local-owner', declaredBy: ['y'] }
    ])
    const [participants] = await sql<{ sender: string; answerers: string }[]>`
      select m.sender::text, c.answerers::text from messages m join calls c using (session_key)`
    expect(JSON.parse(participants!.sender)).toEqual({
      id: 'person:ada',
      name: 'Local owner',
      also: [{ id: 'person:ada' }]
    })
    expect(JSON.parse(participants!.answerers).askers).toEqual([{ id: 'person:ada', name: 'Local owner' }])
    expect(await sql`select id, name from session_authors order by id`).toEqual([
      { id: 'person:ada', name: 'Local owner' },
      { id: 'person:bob', name: 'Bob' }
    ])
    expect((await callAs('local-owner', memberOperations.list)).status).toBe(401)
  })
})

test.each([
  ['/join/x?y=1', '/join/x?y=1'],
  ['http://localhost:3000/sessions/a', '/sessions/a'],
  [undefined, '/sessions'],
  ['/sign-in?error=x', '/sessions'],
  ['//evil.example', '/sessions'],
  ['/\\evil.example', '/sessions'],
  ['/.//evil.example', '/sessions'],
  ['https://evil.example/join/x', '/sessions'],
  ['http://localhost:3000@evil.example/', '/sessions'],
  ['javascript:alert(1)', '/sessions'],
  ['http://[', '/sessions']
])('after a sign-in, the redirect goes to one of our own paths: %s → %s', (callbackUrl, path) => {
  expect(toLocalPath(callbackUrl, origin)).toBe(path)
})

describe('the identity from a provider', () => {
  const signInFor = (kind: SignIn['kind']): SignIn => ({
    provider: kind,
    kind,
    name: kind,
    id: 'id',
    secret: 'secret',
    issuer: 'https://id.example'
  })

  test('has an account ID, or the sign-in fails', () => {
    expect(identityFromToken(signInFor('github'), { id: 7, login: 'ada', name: null })).toMatchObject({
      subject: '7',
      name: 'ada'
    })
    for (const profile of [{}, { sub: '' }, { sub: 7n }, { sub: null }, { sub: 'x'.repeat(256) }])
      expect(
        () => identityFromToken(signInFor('oidc'), profile),
        JSON.stringify(Object.keys(profile))
      ).toThrow()
    expect(() => identityFromToken(signInFor('github'), { login: 'ada' })).toThrow()
  })

  test('has a name in one line, without invisible characters and direction overrides', () => {
    const profile = { sub: '1', name: ' Ada\u202e\u0000\n Love\u200dlace ', email: 'x'.repeat(200) }
    expect(identityFromToken(signInFor('oidc'), profile)).toMatchObject({
      name: 'Ada Love\u200dlace',
      label: 'x'.repeat(80)
    })
  })
})
