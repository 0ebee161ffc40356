import { expect, test } from 'vitest'
import type { Role } from '#lib/kernel/ctx.ts'
import type { Timing } from '#lib/kernel/timing.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const origin = 'http://localhost:3000'

/** Starts a server with sign-in. `member` adds a user and returns a function that calls the API as this user. */
async function startWithSignIn(pace: Partial<Timing> = {}) {
  const server = await startTestServer({
    timing: pace,
    settings: { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }
  })
  const url = await serveApi()
  const member = async (id: string, role: Role) => {
    await server.sql`insert into users (id, name) values (${id}, ${id})`
    await server.sql`insert into members (workspace_id, user_id, role) values ('default', ${id}, ${role})`
    const headers = { cookie: await signInCookie(server, id), origin, 'content-type': 'application/json' }
    return (method: string, path: string, body?: object) =>
      fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  }
  return { server, member }
}

/** Starts a session whose agent has asked a question. */
async function startQuestion({ startSession: open }: TestServer) {
  const session = await open()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const { toolCallId } = await session.waitForCall('ask-question')
  return {
    session,
    path: `/api/sessions/${session.id}`,
    answer: `/api/sessions/${session.id}/calls/${toolCallId}/answer`
  }
}

test('an operator sends messages and answers calls under their name, and cannot change agents, keys or members', async () => {
  const { server, member } = await startWithSignIn()
  const ask = await member('opal', 'operator')
  const { session, path, answer } = await startQuestion(server)
  expect((await ask('GET', path)).status).toBe(200)
  const ended = session.waitForEnd()
  const response = await ask('POST', answer, { output: { answer: 'tea' } })
  expect(response.status).toBe(200)
  expect((await session.log()).findLast(event => event.type === 'call')).toMatchObject({
    call: { state: 'answered', answeredBy: 'opal' }
  })
  await ended
  expect((await ask('POST', `${path}/messages`, { text: 'say hello' })).status).toBe(202)
  const forbidden: [method: string, path: string, body?: object][] = [
    ['POST', '/api/agents', { agentId: 'made', displayName: 'Made' }],
    ['PUT', '/api/agents/guide', { agentId: 'guide', displayName: 'Changed' }],
    ['POST', '/api/keys', { name: 'k' }],
    ['POST', '/api/webhooks', { url: 'https://acme.example/hook' }],
    ['PUT', '/api/workspace', { allowedOrigins: [] }],
    ['POST', '/api/members/invites', { role: 'viewer' }],
    ['PUT', '/api/members/opal', { role: 'owner' }]
  ]
  for (const [method, endpoint, body] of forbidden)
    expect((await ask(method, endpoint, body)).status, `${method} ${endpoint}`).toBe(403)
})

test('a viewer can read, but cannot send, answer or stop', async () => {
  const { server, member } = await startWithSignIn()
  const ask = await member('vic', 'viewer')
  const { session, path, answer } = await startQuestion(server)
  for (const endpoint of [path, '/api/sessions', '/api/waiting', '/api/agents', '/api/members'])
    expect((await ask('GET', endpoint)).status, endpoint).toBe(200)
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] }
  const forbidden: [path: string, body: object][] = [
    [`${path}/messages`, { text: 'hi' }],
    [answer, { output: { answer: 'tea' } }],
    [answer.replace(/answer$/, 'extend'), { seconds: 60 }],
    [answer.replace(/answer$/, 'cancel'), {}],
    [`${path}/cancel`, {}],
    ['/api/chat', { id: session.id, messages: [message] }],
    ['/api/plugins/sessions/operations/create', { agentId: 'guide' }]
  ]
  for (const [endpoint, body] of forbidden)
    expect((await ask('POST', endpoint, body)).status, endpoint).toBe(403)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('the open streams of a removed member end, including chats, and those of others continue', async () => {
  const { server, member } = await startWithSignIn({ accessCheckMs: 50 })
  await member('olga', 'owner')
  const [removed, remaining] = [await member('gone', 'operator'), await member('stays', 'viewer')]
  const eventsPath = `/api/sessions/${(await server.startSession()).id}/events`
  const chatBody = {
    id: 't',
    agentId: 'guide',
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'count to 2000' }] }]
  }

  const streams = [
    await removed('GET', eventsPath),
    await removed('GET', eventsPath),
    await removed('POST', '/api/chat', chatBody)
  ]
  const other = await remaining('GET', eventsPath)
  for (const { status } of [...streams, other]) expect(status).toBe(200)
  const resumed = await removed('GET', '/api/chat/t/stream')
  expect(resumed.status).toBe(200)
  let otherEnded = false
  const otherText = other.text().finally(() => {
    otherEnded = true
  })
  const ends = [...streams, resumed].map(stream => stream.text().catch(() => 'cut off'))

  expect((await removed('DELETE', '/api/members/gone')).status).toBe(200)
  await Promise.all(ends)
  expect(otherEnded).toBe(false)
  for (const endpoint of [eventsPath, '/api/chat/t/stream', '/api/sessions'])
    expect((await removed('GET', endpoint)).status, endpoint).toBe(401)
  await server.sql`delete from members where user_id = 'stays'`
  await otherText
})
