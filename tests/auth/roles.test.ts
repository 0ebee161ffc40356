import { expect, test } from 'vitest'
import type { Role } from '#lib/kernel/ctx.ts'
import type { Timing } from '#lib/kernel/timing.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { serveApi } from '#tests/support/worlds/serve-api.ts'
import { signInCookie } from '#tests/support/worlds/sign-in-cookie.ts'
import { type TestWorld, testWorld } from '#tests/support/worlds/world.ts'

const origin = 'http://localhost:3000'

/** A world where people sign in, and how one of them asks its API over HTTP. */
async function signedInWorld(pace: Partial<Timing> = {}) {
  const world = await testWorld({ pace, settings: { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' } })
  const url = await serveApi()
  const member = async (id: string, role: Role) => {
    await world.sql`insert into users (id, name) values (${id}, ${id})`
    await world.sql`insert into members (workspace_id, user_id, role) values ('default', ${id}, ${role})`
    const headers = { cookie: await signInCookie(world, id), origin, 'content-type': 'application/json' }
    return (method: string, path: string, body?: object) =>
      fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  }
  return { world, member }
}

/** A session whose agent asks something. */
async function asked({ session: open }: TestWorld) {
  const session = await open()
  await session.says(demo.asks('tea', 'coffee'))
  const { toolCallId } = await session.waitsFor('ask-question')
  return {
    session,
    path: `/api/sessions/${session.id}`,
    answer: `/api/sessions/${session.id}/calls/${toolCallId}/answer`
  }
}

test('an operator talks and answers, under their name, and changes no agent, key or member', async () => {
  const { world, member } = await signedInWorld()
  const ask = await member('opal', 'operator')
  const { session, path, answer } = await asked(world)
  expect((await ask('GET', path)).status).toBe(200)
  const ended = session.ends()
  const answered = await ask('POST', answer, { output: { answer: 'tea' } })
  expect(answered.status).toBe(200)
  expect((await session.log()).findLast(event => event.type === 'call')).toMatchObject({
    call: { state: 'answered', answeredBy: 'opal' }
  })
  await ended
  expect((await ask('POST', `${path}/messages`, { text: 'say hello' })).status).toBe(202)
  const refused: [method: string, path: string, body?: object][] = [
    ['POST', '/api/agents', { agentId: 'made', displayName: 'Made' }],
    ['PUT', '/api/agents/guide', { agentId: 'guide', displayName: 'Changed' }],
    ['POST', '/api/keys', { name: 'k' }],
    ['POST', '/api/webhooks', { url: 'https://acme.example/hook' }],
    ['PUT', '/api/workspace', { allowedOrigins: [] }],
    ['POST', '/api/members/invites', { role: 'viewer' }],
    ['PUT', '/api/members/opal', { role: 'owner' }]
  ]
  for (const [method, where, body] of refused)
    expect((await ask(method, where, body)).status, `${method} ${where}`).toBe(403)
})

test('a viewer reads, and neither sends nor answers nor stops anything', async () => {
  const { world, member } = await signedInWorld()
  const ask = await member('vic', 'viewer')
  const { session, path, answer } = await asked(world)
  for (const where of [path, '/api/sessions', '/api/waiting', '/api/agents', '/api/members'])
    expect((await ask('GET', where)).status, where).toBe(200)
  const said = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] }
  const refused: [path: string, body: object][] = [
    [`${path}/messages`, { text: 'hi' }],
    [answer, { output: { answer: 'tea' } }],
    [answer.replace(/answer$/, 'extend'), { seconds: 60 }],
    [answer.replace(/answer$/, 'cancel'), {}],
    [`${path}/cancel`, {}],
    ['/api/chat', { id: session.id, messages: [said] }],
    ['/api/plugins/sessions/operations/create', { agentId: 'guide' }]
  ]
  for (const [where, body] of refused) expect((await ask('POST', where, body)).status, where).toBe(403)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('the streams that a removed member has open end, chats too; others go on', async () => {
  const { world, member } = await signedInWorld({ accessCheckMs: 50 })
  await member('olga', 'owner')
  const [gone, stays] = [await member('gone', 'operator'), await member('stays', 'viewer')]
  const quiet = `/api/sessions/${(await world.session()).id}/events`
  const talking = {
    id: 't',
    agentId: 'guide',
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'count to 2000' }] }]
  }

  const streams = [
    await gone('GET', quiet),
    await gone('GET', quiet),
    await gone('POST', '/api/chat', talking)
  ]
  const other = await stays('GET', quiet)
  for (const { status } of [...streams, other]) expect(status).toBe(200)
  const resumed = await gone('GET', '/api/chat/t/stream')
  expect(resumed.status).toBe(200)
  let otherEnded = false
  const others = other.text().finally(() => {
    otherEnded = true
  })
  const ends = [...streams, resumed].map(stream => stream.text().catch(() => 'cut off'))

  expect((await gone('DELETE', '/api/members/gone')).status).toBe(200)
  await Promise.all(ends)
  expect(otherEnded).toBe(false)
  for (const where of [quiet, '/api/chat/t/stream', '/api/sessions'])
    expect((await gone('GET', where)).status, where).toBe(401)
  await world.sql`delete from members where user_id = 'stays'`
  await others
})
