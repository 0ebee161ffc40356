import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Pool } from '#db/client.ts'
import { acceptInvite } from '#lib/api/accept-invite.ts'
import { join, offerOf } from '#lib/auth/members/join.ts'
import { claimLink } from '#lib/auth/sign-in/claim.ts'
import { identityFromToken } from '#lib/auth/sign-in/identity-from-token.ts'
import { pathOfOurs } from '#lib/auth/sign-in/path-of-ours.ts'
import type { Operation } from '#lib/http/operation.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import type { Role } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import type { SignIn } from '#lib/kernel/settings/sign-in-ways.ts'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { type EndpointCall, requestEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { adminKey, withHouse } from '#tests/support/worlds/house.ts'
import { lockWaits } from '#tests/support/worlds/lock-waits.ts'
import { signInCookie } from '#tests/support/worlds/sign-in-cookie.ts'

const origin = 'http://localhost:3000'
const opened = withHouse({ AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' })

/** A person who has signed in; with a role, a member of the default workspace. */
async function person(id: string, role?: Role) {
  const { sql } = opened.house
  await sql`insert into users (id, name) values (${id}, ${id.toUpperCase()}) on conflict do nothing`
  if (role !== undefined)
    await sql`insert into members (workspace_id, user_id, role) values ('default', ${id}, ${role})`
}

const cookieOf = (id: string) => signInCookie(opened.house, id)

/** Knocks as a page of ours would for this person, or as a program with the admin key. */
async function as(id: string | null, operation: Operation, asked: EndpointCall = {}) {
  const own: Record<string, string> =
    id === null ? { authorization: `Bearer ${adminKey}` } : { cookie: await cookieOf(id), origin }
  const response = await requestEndpoint(operation, { ...asked, headers: own })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const invite = async (by: string | null, body: object) => {
  const { status, body: made } = await as(by, memberOperations.invite, { body })
  expect({ status, made }).toMatchObject({ status: 201 })
  return { id: String(made.id), token: String(made.url).replace(`${origin}/join/`, ''), made }
}

/** Presses the button of an invite link's page. */
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
  const rows = await opened.house.sql<{ id: string; role: Role }[]>`
    select user_id as id, role from members where workspace_id = 'default'`
  return Object.fromEntries(rows.map(({ id, role }) => [id, role]))
}

beforeEach(async () => {
  const { sql } = opened.house
  await sql`delete from invites`
  await sql`delete from users`
  await person('olga', 'owner')
})

/** Somebody's own account at a service. */
const account = (userId: string) => opened.house.sql`
  insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, connected_by,
    connected_at, updated_at)
  values (${`conn_${userId}`}, 'default', 'github', 'github', 'user', ${`person:${userId}`}, ${userId}, 'oauth', 'active',
    ${userId}, now(), now())`

describe('an invite link', () => {
  test('is shown once and kept as a hash, names its end, and lets one person in with its role', async () => {
    const { made, token, id } = await invite('olga', { role: 'operator' })
    expect(Object.keys(made).sort()).toEqual(['expiresAt', 'id', 'url'])
    expect(token).toMatch(/^[\w-]{43}$/)
    const ends = Date.parse(String(made.expiresAt)) - Date.now()
    expect(ends / 86_400_000).toBeCloseTo(7, 1)
    expect(JSON.stringify(await opened.house.sql`select * from invites`)).not.toContain(token)
    const { body } = await as('olga', memberOperations.invites)
    expect(body.invites).toMatchObject([{ id, role: 'operator', createdBy: 'OLGA' }])
    expect(JSON.stringify(body)).not.toContain(token)

    await person('bob')
    expect(await offerOf(token, 'bob')).toMatchObject({ workspaceName: 'default', createdBy: 'OLGA' })
    expect(await offerOf(token, 'bob')).not.toHaveProperty('over')
    expect(await accept(token, 'bob')).toEqual({ status: 303, to: '/sessions' })
    expect(await roles()).toEqual({ olga: 'owner', bob: 'operator' })
    await person('eve')
    expect(await accept(token, 'eve')).toEqual({ status: 303, to: `/join/${token}` })
    expect(await offerOf(token, 'eve')).toMatchObject({ over: 'used' })
    expect((await as('olga', memberOperations.invites)).body.invites).toEqual([])
  })

  test('that many people press at once lets exactly one of them in, and tells the others', async () => {
    const { token } = await invite('olga', { role: 'viewer' })
    const crowd = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const id of crowd) await person(id)
    const answers = await Promise.all(crowd.map(id => accept(token, id)))
    expect(answers.filter(({ to }) => to === '/sessions')).toHaveLength(1)
    expect(Object.keys(await roles())).toHaveLength(2)
    const told = await Promise.all(crowd.map(id => offerOf(token, id)))
    expect(told.filter(offer => offer?.over === 'used')).toHaveLength(crowd.length)
    expect(told.filter(offer => offer?.member !== undefined)).toHaveLength(1)
  })

  test('that two people have both seen open when either presses lets one of them in', async () => {
    const sql = opened.house.sql as Pool
    const { token, id } = await invite('olga', { role: 'viewer' })
    for (const one of ['a', 'b']) await person(one)
    const [held, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = sql.begin(async tx => {
      await tx`select from invites where id = ${id} for update`
      held.resolve()
      await go.promise
    })
    await held.promise
    const pressed = Promise.all(['a', 'b'].map(one => accept(token, one)))
    await lockWaits(sql, 2)
    go.resolve()
    await holding
    expect((await pressed).map(({ to }) => to).sort()).toEqual([`/join/${token}`, '/sessions'])
    expect(Object.keys(await roles())).toHaveLength(2)
  })

  test('that one person presses twice at once makes them a member once', async () => {
    const { token } = await invite('olga', { role: 'viewer' })
    await person('bob')
    await Promise.all([accept(token, 'bob'), accept(token, 'bob')])
    expect(await roles()).toEqual({ olga: 'owner', bob: 'viewer' })
  })

  test('says that it was taken back, that its time is up, or that there is none', async () => {
    await person('bob')
    const [revoked, expired] = [
      await invite('olga', { role: 'viewer' }),
      await invite('olga', { role: 'viewer' })
    ]
    const gone = { params: { inviteId: revoked.id } }
    expect((await as('olga', memberOperations.revoke, gone)).status).toBe(200)
    expect((await as('olga', memberOperations.revoke, gone)).status).toBe(404)
    await opened.house.sql`update invites set expires_at = clock_timestamp() where id = ${expired.id}`
    expect(await offerOf(revoked.token, 'bob')).toMatchObject({ over: 'revoked' })
    expect(await offerOf(expired.token, 'bob')).toMatchObject({ over: 'expired' })
    expect(await offerOf(`${expired.token}x`, 'bob')).toBeUndefined()
    for (const token of [revoked.token, expired.token, 'none'])
      expect(await accept(token, 'bob')).toEqual({ status: 303, to: `/join/${token}` })
    expect(await roles()).toEqual({ olga: 'owner' })
  })

  test('is not used up by a member, who stays what they are', async () => {
    await person('ed', 'editor')
    const { token } = await invite('olga', { role: 'viewer' })
    expect((await accept(token, 'ed')).to).toBe('/sessions')
    expect(await roles()).toMatchObject({ ed: 'editor' })
    expect(await offerOf(token, 'ed')).toMatchObject({ member: 'editor' })
    await person('bob')
    expect((await accept(token, 'bob')).to).toBe('/sessions')
    expect(await roles()).toMatchObject({ bob: 'viewer' })
  })

  test('is accepted by a click on our own page, by somebody who has signed in, and in no other way', async () => {
    const { token } = await invite('olga', { role: 'viewer' })
    await person('bob')
    expect((await accept(token, 'bob', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await accept(token, 'bob', {})).status).toBe(403)
    expect(await accept(token, 'nobody')).toEqual({ status: 303, to: `/join/${token}` })
    expect(await roles()).toEqual({ olga: 'owner' })
    expect(await offerOf(token, 'bob')).not.toHaveProperty('over')
  })

  test('lasts a minute at least and thirty days at most', async () => {
    for (const ttlSeconds of [0, 59, 30 * 86_400 + 1, 1.5])
      expect(
        (await as('olga', memberOperations.invite, { body: { role: 'viewer', ttlSeconds } })).status
      ).toBe(422)
    await invite('olga', { role: 'viewer', ttlSeconds: 30 * 86_400 })
  })

  test('of an owner who is removed or no owner any more opens nothing', async () => {
    await person('una', 'owner')
    await person('pam', 'owner')
    const links = [await invite('una', { role: 'owner' }), await invite('pam', { role: 'owner' })]
    const own = await invite('olga', { role: 'viewer' })
    await account('una')
    await account('olga')
    await as('olga', memberOperations.remove, { params: { userId: 'una' } })
    const left = await opened.house.sql`select owner from connections`
    expect(left).toEqual([{ owner: 'person:olga' }])
    await opened.house.sql`delete from connections`
    await as('olga', memberOperations.changeRole, { params: { userId: 'pam' }, body: { role: 'editor' } })
    for (const { token } of links) expect(await offerOf(token, null)).toMatchObject({ over: 'revoked' })
    expect(await offerOf(own.token, null)).not.toHaveProperty('over')
  })
})

describe('members', () => {
  test('see each other; how one signs in is told to owners only', async () => {
    await person('vic', 'viewer')
    await opened.house.sql`
      insert into identities (issuer, subject, user_id, provider, label, created_at, seen_at)
      values ('https://github.com', '7', 'olga', 'github', 'olga-gh', now(), now())`
    const { body } = await as('olga', memberOperations.list)
    expect(body.members).toMatchObject([
      { userId: 'olga', name: 'OLGA', role: 'owner', account: { provider: 'github', label: 'olga-gh' } },
      { userId: 'vic', role: 'viewer' }
    ])
    const seen = (await as('vic', memberOperations.list)).body
    expect(seen.members).toHaveLength(2)
    expect(JSON.stringify(seen)).not.toContain('olga-gh')
  })

  test.each<Role>(['viewer', 'operator', 'editor'])(
    '%s may leave, and neither remove, promote nor invite',
    async role => {
      await person('mo', role)
      const olga = { params: { userId: 'olga' } }
      expect((await as('mo', memberOperations.remove, olga)).status).toBe(403)
      const self = { params: { userId: 'mo' }, body: { role: 'owner' } }
      expect((await as('mo', memberOperations.changeRole, self)).status).toBe(403)
      expect((await as('mo', memberOperations.invite, { body: { role: 'owner' } })).status).toBe(403)
      expect((await as('mo', memberOperations.invites)).status).toBe(403)
      expect((await as('mo', memberOperations.remove, { params: { userId: 'mo' } })).status).toBe(200)
      expect((await as('mo', memberOperations.list)).status).toBe(401)
      expect(await roles()).toEqual({ olga: 'owner' })
    }
  )

  test('the last owner can be neither removed nor demoted, nor leave; with another one they can', async () => {
    const olga = { params: { userId: 'olga' } }
    for (const by of ['olga', null]) {
      const demoted = await as(by, memberOperations.changeRole, { ...olga, body: { role: 'editor' } })
      expect(demoted).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
      expect(demoted.body.error).toContain('OLGA')
      expect((await as(by, memberOperations.remove, olga)).status).toBe(409)
    }
    await person('una', 'owner')
    expect((await as('olga', memberOperations.remove, olga)).status).toBe(200)
    expect(await roles()).toEqual({ una: 'owner' })
  })

  test('two owners who demote, or remove, each other at once leave one', async () => {
    for (let round = 0; round < 5; round++) {
      await opened.house.sql`delete from members`
      for (const id of ['x', 'y']) await person(id, 'owner')
      const acts = ['x', 'y'].map(id =>
        round % 2 === 0
          ? as(null, memberOperations.changeRole, { params: { userId: id }, body: { role: 'viewer' } })
          : as(null, memberOperations.remove, { params: { userId: id } })
      )
      expect((await Promise.all(acts)).map(({ status }) => status).sort()).toEqual([200, 409])
      expect(Object.values(await roles()).filter(role => role === 'owner')).toHaveLength(1)
    }
  })

  test('the local owner, who cannot sign in here, is no owner to rely on', async () => {
    await person('local-owner', 'owner')
    const olga = { params: { userId: 'olga' } }
    expect((await as(null, memberOperations.remove, olga)).status).toBe(409)
    expect((await as('local-owner', memberOperations.list)).status).toBe(401)
  })
})

describe('the first owner', () => {
  beforeEach(async () => {
    await opened.house.sql`delete from members`
    await person('local-owner', 'owner')
    await person('ada')
  })
  const claimed = async () => String(await claimLink()).replace(`${origin}/join/`, '')

  test('has a link that stays the same until it is used, of which no copy is kept', async () => {
    const [first, again] = await Promise.all([claimed(), claimed()])
    expect(again).toBe(first)
    const kept = await opened.house.sql`select * from invites`
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(first)
    expect((await as(null, memberOperations.invites)).body.invites).toEqual([])
    expect((await accept(first, 'ada')).to).toBe('/sessions')
    expect(await claimLink()).toBeUndefined()
  })

  test('is one, however many press at once', async () => {
    const token = await claimed()
    const crowd = ['ada', 'b', 'c', 'd']
    for (const id of crowd) await person(id)
    const answers = await Promise.all(crowd.map(id => accept(token, id)))
    expect(answers.filter(({ to }) => to === '/sessions')).toHaveLength(1)
    expect(Object.values(await roles())).toEqual(['owner'])
  })

  test('may be a member already, who becomes the owner', async () => {
    await opened.house
      .sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'viewer')`
    expect((await accept(await claimed(), 'ada')).to).toBe('/sessions')
    expect(await roles()).toEqual({ ada: 'owner' })
  })

  test('may come by an invite of a key, too: then the claim link is over', async () => {
    const token = await claimed()
    const { token: invited } = await invite(null, { role: 'owner' })
    await person('bob')
    expect((await accept(invited, 'bob')).to).toBe('/sessions')
    expect(await roles()).toEqual({ bob: 'owner' })
    expect(await offerOf(token, 'ada')).toMatchObject({ over: 'used' })
    expect((await accept(token, 'ada')).to).toBe(`/join/${token}`)
    expect(await roles()).toEqual({ bob: 'owner' })
  })

  test('takes over what the local owner had, everywhere; who wrote what keeps its name', async () => {
    const { sql } = opened.house
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
    await account('local-owner')

    await join(await claimed(), 'ada')

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
    const agent = await as('ada', agentOperations.get, { params: { agentId: 'helper' } })
    const theirs = { people: ['ada', 'bob'] }
    expect(agent.body).toMatchObject({
      displayName: 'local-owner',
      chat: {
        answer: theirs,
        instructions: 'Say "local-owner".',
        tools: [{ name: 'ask-question', answer: theirs }]
      }
    })
    expect(agent.body.revision).toBe(2)
    const { body } = await as('ada', agentOperations.revisions, { params: { agentId: 'helper' } })
    expect(body.revisions).toMatchObject([
      {
        revision: 2,
        savedBy: 'ADA',
        note: 'Replaced Local owner with the new owner.',
        config: { chat: { answer: theirs } }
      },
      { revision: 1, config: { chat: { answer: { people: ['local-owner', 'bob'] } } } }
    ])
    const drafted = await as('ada', agentOperations.draft, { params: { agentId: 'helper' } })
    expect(drafted.body).toMatchObject({
      draft: { base: 2, config: { chat: { answer: theirs } } },
      version: 1
    })
    const Tools = z.array(z.object({ name: z.string(), declaredBy: z.array(z.string()) }))
    const [kept] = await sql<{ createdBy: string; tools: string; overlay: object }[]>`
      select created_by, client_tools::text as tools, overlay from sessions where id = 's'`
    expect(kept!.overlay).toEqual({ tools: [{ name: 'local-owner', answer: theirs }], skills: [] })
    expect(kept!.createdBy).toBe('Local owner')
    expect(Tools.parse(JSON.parse(kept!.tools))).toEqual([
      { name: 'pick', declaredBy: ['x', 'ada'] },
      { name: 'local-owner', declaredBy: ['y'] }
    ])
    const [who] = await sql<{ sender: string; answerers: string }[]>`
      select m.sender::text, c.answerers::text from messages m join calls c using (session_key)`
    expect(JSON.parse(who!.sender)).toEqual({
      id: 'person:ada',
      name: 'Local owner',
      also: [{ id: 'person:ada' }]
    })
    expect(JSON.parse(who!.answerers).askers).toEqual([{ id: 'person:ada', name: 'Local owner' }])
    expect(await sql`select id, name from session_authors order by id`).toEqual([
      { id: 'person:ada', name: 'Local owner' },
      { id: 'person:bob', name: 'Bob' }
    ])
    expect((await as('local-owner', memberOperations.list)).status).toBe(401)
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
])('after signing in one goes to a path of ours: %s → %s', (wanted, path) => {
  expect(pathOfOurs(wanted, origin)).toBe(path)
})

describe('what a provider says of somebody', () => {
  const way = (kind: SignIn['kind']): SignIn => ({
    provider: kind,
    kind,
    name: kind,
    id: 'id',
    secret: 'secret',
    issuer: 'https://id.example'
  })

  test('names an account, or signs nobody in', () => {
    expect(identityFromToken(way('github'), { id: 7, login: 'ada', name: null })).toMatchObject({
      subject: '7',
      name: 'ada'
    })
    for (const said of [{}, { sub: '' }, { sub: 7n }, { sub: null }, { sub: 'x'.repeat(256) }])
      expect(() => identityFromToken(way('oidc'), said), JSON.stringify(Object.keys(said))).toThrow()
    expect(() => identityFromToken(way('github'), { login: 'ada' })).toThrow()
  })

  test('is one line, without what would hide or turn around the words beside it', () => {
    const said = { sub: '1', name: ' Ada\u202e\u0000\n Love\u200dlace ', email: 'x'.repeat(200) }
    expect(identityFromToken(way('oidc'), said)).toMatchObject({
      name: 'Ada Love\u200dlace',
      label: 'x'.repeat(80)
    })
  })
})
