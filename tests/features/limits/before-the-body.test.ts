import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { dispatch } from '#lib/api/dispatch.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { answerPage } from '#lib/features/webhooks/answer-links/answer-page-link.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { peerHeader } from '#lib/http/request/client-address.ts'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { limitPages } from '#scripts/serve/limit-pages.ts'
import { requestEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** A body that tells whether it was read, and ends when it is let. */
function watchedBody(text: string) {
  let isRead = false
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        isRead = true
        await promise
        controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      }
    },
    { highWaterMark: 0 }
  )
  return { body, isRead: () => isRead, finish }
}

/** Posts to an address; what came of it, and whether its body was read. */
async function posts(url: string, headers: Record<string, string>, text = 'x') {
  const { body, isRead, finish } = watchedBody(text)
  finish()
  const request = new Request(url, { method: 'POST', body, duplex: 'half', headers } as RequestInit)
  const response = await dispatch(request)
  return { status: response.status, retryAfter: response.headers.get('retry-after'), isRead: isRead() }
}

async function acme(settings: Record<string, string>) {
  const world = await testWorld({ settings })
  const external = { inputUrl: 'https://acme.example/in' }
  const config = { agentId: 'acme', displayName: 'Acme', type: 'external', external }
  await createAgent(world.ctx, AgentConfig.parse(config))
  for (const sessionId of ['one', 'two']) await createSession(world.ctx, { agentId: 'acme', sessionId })
  const url = 'http://localhost:3000/external/sessions/one/messages'
  const reply = (headers: Record<string, string>, text = 'hi', sessionId = 'one', query = '') =>
    posts(`${url.replace('one', sessionId)}${query}`, headers, text)
  const signed = async () => {
    const { secret } = await rotateAgentSecret(world.ctx, { agentId: 'acme', overlapSeconds: 0 })
    return (text: string, id = 'msg', by = secret) => {
      const at = new Date()
      return {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(by).sign(id, at, text)
      }
    }
  }
  return { ...world, reply, signed }
}

test('22 A4: replies by signature are counted by client IP and session before their body is read', async () => {
  const { reply, signed } = await acme({ WAYSTATION_LIMIT_CALLBACK: '2' })
  const sign = await signed()
  const from = (address: string, id: string) => ({ ...sign('hi', id), [peerHeader]: address })
  for (const id of ['a', 'b']) expect((await reply(from('1.1.1.1', id))).status).toBe(200)
  const refused = await reply(from('1.1.1.1', 'c'))
  expect([refused.status, refused.isRead, Number(refused.retryAfter) > 0]).toEqual([429, false, true])
  expect((await reply(from('1.1.1.1', 'd'), 'hi', 'two')).status).toBe(200)
  expect((await reply(from('2.2.2.2', 'e'))).status).toBe(200)
})

test('22 A4: whoever sends wrong signatures is held off before their body is read', async () => {
  const { reply, signed } = await acme({ WAYSTATION_LIMIT_UNAUTHENTICATED: '2' })
  const sign = await signed()
  const wrong = `whsec_${Buffer.alloc(32).toString('base64')}`
  const from = (address: string, id: string, secret?: string) => ({
    ...sign('hi', id, secret),
    [peerHeader]: address
  })
  for (const id of ['a', 'b']) expect((await reply(from('1.1.1.1', id, wrong))).status).toBe(401)
  expect(await reply(from('1.1.1.1', 'c', wrong))).toMatchObject({ status: 429, isRead: false })
  expect((await reply(from('2.2.2.2', 'd'))).status).toBe(200)
})

test('22 A4: an answer page judges its link, and how often its call was asked for, before a form is read', async () => {
  const { sql, env } = await testWorld({ settings: { WAYSTATION_LIMIT_ANSWER: '2' } })
  const [workspace] = await sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = 'default'`
  const scope = { workspaceId: 'default', sessionKey: 1, generation: 1, kind: 'approval' as const }
  const linkTo = (toolCallId: string) =>
    answerPage(env.url, workspace?.secret ?? '', { ...scope, webhookId: 'hook', toolCallId })
  const post = (link: string) => posts(link, {}, 'do=yes')
  expect(await post(linkTo('a').replace(/.{4}$/, 'AAAA'))).toMatchObject({ status: 401, isRead: false })
  const statuses = [await post(linkTo('a')), await post(linkTo('a')), await post(linkTo('a'))]
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 429])
  expect(statuses.at(-1)?.isRead).toBe(false)
  expect((await post(linkTo('b'))).status).toBe(404)
})

test('22 A4: forms of the sign-in pages are counted by client IP before they are read', async () => {
  await testWorld({ settings: { WAYSTATION_LIMIT_SIGN_IN: '2' } })
  const handled: string[] = []
  const server = createServer(
    limitPages(async (request, response) => {
      handled.push(request.url ?? '')
      response.end('a page')
    })
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const post = (path: string, headers = {}) =>
    fetch(root + path, { method: 'POST', body: 'x'.repeat(1000), headers })
  expect((await post('/sign-in?callbackUrl=/')).status).toBe(200)
  expect((await post('/join/abc')).status).toBe(200)
  const refused = await post('/sign-in')
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await fetch(`${root}/sign-in`)).status).toBe(200)
  // Next runs the same form at the address of any page.
  expect((await post('/settings', { 'next-action': 'a1' })).status).toBe(429)
  expect((await post('/settings', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(429)
  expect((await post('/elsewhere')).status).toBe(200)
  expect(handled).toEqual(['/sign-in?callbackUrl=/', '/join/abc', '/sign-in', '/elsewhere'])
})

test('22 A4: forms of the pages that connect accounts are counted by client IP before they are read', async () => {
  await testWorld({ settings: { WAYSTATION_LIMIT_SIGN_IN: '1' } })
  const post = () => posts('http://localhost:3000/connect/none', {}, 'do=yes')
  expect(await post()).toMatchObject({ status: 403, isRead: true })
  expect(await post()).toMatchObject({ status: 429, isRead: false })
})

test('22 A4: so many requests of a link or a key are open at once; one more is refused before its body is read', async () => {
  const { ctx, reply } = await acme({ WAYSTATION_REQUESTS_LINK: '1', WAYSTATION_REQUESTS_KEY: '1' })
  const { secret } = await createKey(ctx, { name: 'k', role: 'operator' })
  const byKey = { authorization: `Bearer ${secret}` }
  const query = new URL((await callbackLinkOf(ctx, { sessionId: 'one' })).callbackUrl).search
  const slow = (headers: Record<string, string>, search = '') => {
    const { body, isRead, finish } = watchedBody('slow')
    const url = `http://localhost:3000/external/sessions/one/messages${search}`
    const request = new Request(url, { method: 'POST', body, duplex: 'half', headers } as RequestInit)
    return { isRead, finish, response: dispatch(request) }
  }
  const open = [slow({}, query), slow(byKey)]
  await expect.poll(() => open.every(({ isRead }) => isRead())).toBe(true)
  expect(await reply({}, 'hi', 'one', query)).toMatchObject({ status: 429, isRead: false })
  expect(await reply(byKey)).toMatchObject({ status: 429, isRead: false })
  expect((await requestEndpoint(sessionOperations.list, { headers: byKey })).status).toBe(429)
  for (const { finish } of open) finish()
  expect(await Promise.all(open.map(async ({ response }) => (await response).status))).toEqual([200, 200])
  expect((await reply({}, 'hi', 'one', query)).status).toBe(200)
  expect((await reply(byKey)).status).toBe(200)
})

test('22 A4: 401s are counted by client IP; past the limit an unknown credential is 429, and known ones go on', async () => {
  const { ctx } = await testWorld({ settings: { WAYSTATION_LIMIT_UNAUTHENTICATED: '3' } })
  const keyOf = async (name: string) => (await createKey(ctx, { name, role: 'viewer' })).secret
  const [known, fresh] = [await keyOf('known'), await keyOf('fresh')]
  const list = async (address: string, secret?: string) => {
    const headers: Record<string, string> = { [peerHeader]: address }
    if (secret !== undefined) headers.authorization = `Bearer ${secret}`
    return requestEndpoint(sessionOperations.list, { headers })
  }
  expect((await list('1.1.1.1', known)).status).toBe(200)
  expect((await list('1.1.1.1', 'way_wrong')).status).toBe(401)
  expect((await list('1.1.1.1')).status).toBe(401)
  const forged = { params: { sessionId: 's' }, query: { token: 'forged' }, raw: 'hi' }
  const reply = await requestEndpoint(externalOperations.callback, {
    ...forged,
    headers: { [peerHeader]: '1.1.1.1' }
  })
  expect(reply.status).toBe(401)
  const refused = await list('1.1.1.1', 'way_wrong')
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await refused.json()).code).toBe('RATE_LIMITED')
  expect((await list('1.1.1.1')).status).toBe(429)
  // A right guess is not told from a wrong one; whoever was known goes on; another address is another.
  expect((await list('1.1.1.1', fresh)).status).toBe(429)
  expect((await list('1.1.1.1', known)).status).toBe(200)
  expect((await list('2.2.2.2', fresh)).status).toBe(200)
  expect((await list('2.2.2.2', 'way_wrong')).status).toBe(401)
})
