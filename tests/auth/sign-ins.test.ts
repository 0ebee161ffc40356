import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { GET, POST } from '#lib/auth/sign-in/next-auth.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const origin = 'http://localhost:3000'

/** Starts a server with two members. Each browser has its own sign-in. */
async function withMembers() {
  const server = await startTestServer({
    timing: { accessCheckMs: 50 },
    settings: { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }
  })
  const { id: sessionId } = await server.startSession()
  const url = await serveApi()
  for (const id of ['ada', 'bob']) {
    await server.sql`insert into users (id, name) values (${id}, ${id})`
    await server.sql`insert into members (workspace_id, user_id, role) values ('default', ${id}, 'owner')`
  }
  const browser = async (userId: string, sid: string) => {
    const cookie = await signInCookie(server, userId, sid)
    const ask = (method: string, path: string) =>
      fetch(url + path, { method, headers: { cookie, origin, 'content-type': 'application/json' } })
    return { cookie, ask, ...(await listen(url, sessionId, cookie)) }
  }
  return { server, browser }
}

/** Opens a stream and a socket. `ends` resolves when both have ended, and `isOpen` is true while both are open. */
async function listen(url: string, sessionId: string, cookie: string) {
  const stream = await fetch(`${url}/api/sessions/${sessionId}/events`, { headers: { cookie } })
  expect(stream.status).toBe(200)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { cookie, origin } })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', sessionId }))
  await once(socket, 'message')
  let open = true
  const ends = Promise.all([stream.text().catch(() => 'cut off'), once(socket, 'close')])
  void Promise.race([ends]).finally(() => {
    open = false
  })
  return { ends, isOpen: () => open && socket.readyState === socket.OPEN }
}

const list = async (ask: (method: string, path: string) => Promise<Response>) =>
  ((await (await ask('GET', '/api/sign-ins')).json()) as { signIns: { id: string; current: boolean }[] })
    .signIns

test('22 A5: ending one sign-in, all others or all, and signing out, end the requests, streams and sockets of exactly those', async () => {
  const { browser } = await withMembers()
  const [first, second, third, fourth] = [
    await browser('ada', 'one'),
    await browser('ada', 'two'),
    await browser('ada', 'three'),
    await browser('ada', 'four')
  ]
  const other = await browser('bob', 'bobs')
  const status = async ({ ask }: typeof first) => (await ask('GET', '/api/sign-ins')).status
  expect((await list(first.ask)).map(({ id, current }) => [id, current])).toEqual([
    ['four', false],
    ['three', false],
    ['two', false],
    ['one', true]
  ])

  expect((await other.ask('DELETE', '/api/sign-ins/two')).status).toBe(404)
  expect((await first.ask('DELETE', '/api/sign-ins/two')).status).toBe(200)
  await second.ends
  expect([await status(second), await status(third)]).toEqual([401, 200])

  const csrf = await GET(new Request(`${origin}/api/auth/csrf`))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const token = csrf.headers.getSetCookie().map(cookie => cookie.split(';')[0])
  const cookie = [...token, third.cookie].join('; ')
  const body = new URLSearchParams({ csrfToken })
  await POST(new Request(`${origin}/api/auth/signout`, { method: 'POST', headers: { cookie, origin }, body }))
  await third.ends
  expect([await status(third), await status(fourth)]).toEqual([401, 200])

  expect(await (await first.ask('DELETE', '/api/sign-ins?others=true')).json()).toEqual({ ended: 1 })
  await fourth.ends
  expect([await status(fourth), await status(first)]).toEqual([401, 200])
  expect(first.isOpen()).toBe(true)

  expect(await (await first.ask('DELETE', '/api/sign-ins')).json()).toEqual({ ended: 1 })
  await first.ends
  expect([await status(first), await status(other), other.isOpen()]).toEqual([401, 200, true])
})

test('22 A5: removal of a member and expiry end a sign-in, even for a member of another workspace', async () => {
  const { server, browser } = await withMembers()
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  await server.sql`insert into members (workspace_id, user_id, role) values ('other', 'bob', 'owner')`
  const [ada, bob] = [await browser('ada', 'adas'), await browser('bob', 'bobs')]
  expect((await ada.ask('DELETE', '/api/members/bob')).status).toBe(200)
  await bob.ends
  expect((await bob.ask('GET', '/api/sessions')).status).toBe(401)
  expect(await server.sql`select id from sign_ins`).toEqual([{ id: 'adas' }])

  await server.sql`update sign_ins set expires_at = clock_timestamp()`
  await ada.ends
  expect((await ada.ask('GET', '/api/sessions')).status).toBe(401)
})

test.each(['GET', 'POST'])('22 A5: %s /api/auth/session does not extend a sign-in', async method => {
  const server = await startTestServer()
  await server.sql`insert into users (id, name) values ('ada', 'Ada')`
  const headers = { cookie: await signInCookie(server, 'ada') }
  const request = new Request(`${origin}/api/auth/session`, { method, headers })
  await expect((method === 'GET' ? GET : POST)(request)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
