import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
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
import { createSession } from '#lib/sessions/create-session.ts'
import { limitPages } from '#scripts/serve/limit-pages.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a body that records whether it was read, and that ends when `finish` is called. */
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

/** Posts to a URL, and returns the response and whether the body was read. */
async function postWatched(url: string, headers: Record<string, string>, text = 'x') {
  const { body, isRead, finish } = watchedBody(text)
  finish()
  const request = new Request(url, { method: 'POST', body, duplex: 'half', headers } as RequestInit)
  const response = await dispatch(request)
  return { status: response.status, retryAfter: response.headers.get('retry-after'), isRead: isRead() }
}

async function acme(settings: Record<string, string>) {
  const server = await startTestServer({ settings })
  const external = { inputUrl: 'https://acme.example/in' }
  const config = { agentId: 'acme', displayName: 'Acme', type: 'external', external }
  await createAgent(server.ctx, AgentConfig.parse(config))
  for (const sessionId of ['one', 'two']) await createSession(server.ctx, { agentId: 'acme', sessionId })
  const url = 'http://localhost:3000/external/sessions/one/messages'
  const reply = (headers: Record<string, string>, text = 'hi', sessionId = 'one', query = '') =>
    postWatched(`${url.replace('one', sessionId)}${query}`, headers, text)
  const createSigner = async () => {
    const { secret } = await rotateAgentSecret(server.ctx, { agentId: 'acme', overlapSeconds: 0 })
    return (text: string, id = 'msg', signingSecret = secret) => {
      const at = new Date()
      return {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(signingSecret).sign(id, at, text)
      }
    }
  }
  return { ...server, reply, signed: createSigner }
}

test('22 A4: replies by signature are counted by client IP and session before their body is read', async () => {
  const { reply, signed: createSigner } = await acme({ WAYSTATION_LIMIT_CALLBACK: '2' })
  const sign = await createSigner()
  const from = (address: string, id: string) => ({ ...sign('hi', id), [peerHeader]: address })
  for (const id of ['a', 'b']) expect((await reply(from('1.1.1.1', id))).status).toBe(200)
  const rejected = await reply(from('1.1.1.1', 'c'))
  expect([rejected.status, rejected.isRead, Number(rejected.retryAfter) > 0]).toEqual([429, false, true])
  expect((await reply(from('1.1.1.1', 'd'), 'hi', 'two')).status).toBe(200)
  expect((await reply(from('2.2.2.2', 'e'))).status).toBe(200)
})

test('22 A4: a client that sends wrong signatures is blocked before its bodies are read', async () => {
  const { reply, signed: createSigner } = await acme({ WAYSTATION_LIMIT_UNAUTHENTICATED: '2' })
  const sign = await createSigner()
  const wrongSecret = `whsec_${Buffer.alloc(32).toString('base64')}`
  const from = (address: string, id: string, secret?: string) => ({
    ...sign('hi', id, secret),
    [peerHeader]: address
  })
  for (const id of ['a', 'b']) expect((await reply(from('1.1.1.1', id, wrongSecret))).status).toBe(401)
  expect(await reply(from('1.1.1.1', 'c', wrongSecret))).toMatchObject({ status: 429, isRead: false })
  expect((await reply(from('2.2.2.2', 'd'))).status).toBe(200)
})

test('22 A4: an answer page checks its link, and the rate of its call, before it reads a form', async () => {
  const { sql, env } = await startTestServer({ settings: { WAYSTATION_LIMIT_ANSWER: '2' } })
  const [workspace] = await sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = 'default'`
  const scope = { workspaceId: 'default', sessionKey: 1, generation: 1, kind: 'approval' as const }
  const answerLink = (toolCallId: string) =>
    answerPage(env.url, workspace?.secret ?? '', { ...scope, webhookId: 'hook', toolCallId })
  const post = (link: string) => postWatched(link, {}, 'do=yes')
  expect(await post(answerLink('a').replace(/.{4}$/, 'AAAA'))).toMatchObject({ status: 401, isRead: false })
  const statuses = [await post(answerLink('a')), await post(answerLink('a')), await post(answerLink('a'))]
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 429])
  expect(statuses.at(-1)?.isRead).toBe(false)
  expect((await post(answerLink('b'))).status).toBe(404)
})

test('22 A4: forms of the sign-in pages are counted by client IP before they are read', async () => {
  await startTestServer({ settings: { WAYSTATION_LIMIT_SIGN_IN: '2' } })
  const handledForms: string[] = []
  const server = createServer(
    limitPages(async (request, response) => {
      handledForms.push(request.url ?? '')
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
  const rejected = await post('/sign-in')
  expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await fetch(`${root}/sign-in`)).status).toBe(200)
  // Next.js runs the same form action at the URL of any page.
  expect((await post('/settings', { 'next-action': 'a1' })).status).toBe(429)
  expect((await post('/settings', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(429)
  expect((await post('/elsewhere')).status).toBe(200)
  expect(handledForms).toEqual(['/sign-in?callbackUrl=/', '/join/abc', '/sign-in', '/elsewhere'])
})

test('22 A4: forms of the pages that connect accounts are counted by client IP before they are read', async () => {
  await startTestServer({ settings: { WAYSTATION_LIMIT_SIGN_IN: '1' } })
  const post = () => postWatched('http://localhost:3000/connect/none', {}, 'do=yes')
  expect(await post()).toMatchObject({ status: 403, isRead: true })
  expect(await post()).toMatchObject({ status: 429, isRead: false })
})

test('22 A4: the open requests of a link or a key are limited; one more is refused before its body is read', async () => {
  const { ctx, reply } = await acme({ WAYSTATION_REQUESTS_LINK: '1', WAYSTATION_REQUESTS_KEY: '1' })
  const { secret } = await createKey(ctx, { name: 'k', role: 'operator' })
  const byKey = { authorization: `Bearer ${secret}` }
  const query = new URL((await callbackLinkOf(ctx, { sessionId: 'one' })).callbackUrl).search
  const slowRequest = (headers: Record<string, string>, search = '') => {
    const { body, isRead, finish } = watchedBody('slow')
    const url = `http://localhost:3000/external/sessions/one/messages${search}`
    const request = new Request(url, { method: 'POST', body, duplex: 'half', headers } as RequestInit)
    return { isRead, finish, response: dispatch(request) }
  }
  const openRequests = [slowRequest({}, query), slowRequest(byKey)]
  await expect.poll(() => openRequests.every(({ isRead }) => isRead())).toBe(true)
  expect(await reply({}, 'hi', 'one', query)).toMatchObject({ status: 429, isRead: false })
  expect(await reply(byKey)).toMatchObject({ status: 429, isRead: false })
  expect((await requestEndpoint(sessionOperations.list, { headers: byKey })).status).toBe(429)
  for (const { finish } of openRequests) finish()
  expect(await Promise.all(openRequests.map(async ({ response }) => (await response).status))).toEqual([
    200, 200
  ])
  expect((await reply({}, 'hi', 'one', query)).status).toBe(200)
  expect((await reply(byKey)).status).toBe(200)
})

test('22 A4: 401s are counted by client IP; past the limit an unknown credential gets 429, and known ones continue', async () => {
  const { ctx } = await startTestServer({ settings: { WAYSTATION_LIMIT_UNAUTHENTICATED: '3' } })
  const keyOf = async (name: string) => (await createKey(ctx, { name, role: 'viewer' })).secret
  const [knownKey, newKey] = [await keyOf('known'), await keyOf('fresh')]
  const list = async (address: string, secret?: string) => {
    const headers: Record<string, string> = { [peerHeader]: address }
    if (secret !== undefined) headers.authorization = `Bearer ${secret}`
    return requestEndpoint(sessionOperations.list, { headers })
  }
  expect((await list('1.1.1.1', knownKey)).status).toBe(200)
  expect((await list('1.1.1.1', 'way_wrong')).status).toBe(401)
  expect((await list('1.1.1.1')).status).toBe(401)
  const forgedRequest = { params: { sessionId: 's' }, query: { token: 'forged' }, raw: 'hi' }
  const reply = await requestEndpoint(externalOperations.callback, {
    ...forgedRequest,
    headers: { [peerHeader]: '1.1.1.1' }
  })
  expect(reply.status).toBe(401)
  const rejected = await list('1.1.1.1', 'way_wrong')
  expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await rejected.json()).code).toBe('RATE_LIMITED')
  expect((await list('1.1.1.1')).status).toBe(429)
  // Past the limit, valid and invalid guesses get the same response; known credentials and other client IPs
  // continue.
  expect((await list('1.1.1.1', newKey)).status).toBe(429)
  expect((await list('1.1.1.1', knownKey)).status).toBe(200)
  expect((await list('2.2.2.2', newKey)).status).toBe(200)
  expect((await list('2.2.2.2', 'way_wrong')).status).toBe(401)
})
