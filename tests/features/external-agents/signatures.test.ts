import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { listAgentSecrets, rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import type { Role } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { type ExternalRequest, startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { callback, secrets: list } = externalOperations

async function acme() {
  const externalSystem = await startExternalSystem()
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
  const config = (inputUrl: string) =>
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external: { inputUrl } })
  await createAgent(server.ctx, config(`${externalSystem.url}/in`))
  await createSession(server.ctx, { agentId: 'acme', sessionId: 'order-1' })
  const link = new URL((await callbackLinkOf(server.ctx, { sessionId: 'order-1' })).callbackUrl)
  const rotate = async (overlapSeconds = 86400) =>
    (await rotateAgentSecret(server.ctx, { agentId: 'acme', overlapSeconds })).secret
  const send = (text: string) => sendMessage(server.ctx, SendMessage.parse({ sessionId: 'order-1', text }))
  const shown = async () => (await getSession(server.ctx, { sessionId: 'order-1' })).messages.length
  return {
    ...server,
    externalSystem,
    rotate,
    send,
    shown,
    config,
    token: link.searchParams.get('token') ?? ''
  }
}

type ReplyOptions = { token?: string; headers?: Record<string, string> }
async function reply(raw: string, { token, headers = {} }: ReplyOptions): Promise<[number, unknown]> {
  const query: Record<string, string> = token === undefined ? {} : { token }
  const response = await requestEndpoint(callback, { params: { sessionId: 'order-1' }, query, raw, headers })
  return [response.status, ((await response.json()) as { code?: string }).code]
}

const sign = (secret: string, body: string, { id = 'msg_1', at = new Date() } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign(id, at, body)
})
const isSignedWith = ({ body, headers }: ExternalRequest, secret: string) => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

test('with a secret, each delivery is a Standard Webhook; during an overlap of two secrets it has both signatures', async () => {
  const { externalSystem, rotate, send, advanceTime } = await acme()
  await send('unsigned')
  expect((await externalSystem.request(0)).headers['webhook-signature']).toBeUndefined()
  const first = await rotate()
  await send('one')
  const firstRequest = await externalSystem.request(1)
  expect(isSignedWith(firstRequest, first)).toBe(true)
  expect(firstRequest.headers['webhook-id']).toBe(firstRequest.headers['idempotency-key'])

  const second = await rotate(600)
  await send('two')
  const secondRequest = await externalSystem.request(2)
  expect([isSignedWith(secondRequest, first), isSignedWith(secondRequest, second)]).toEqual([true, true])
  await advanceTime(601)
  await send('three')
  const three = await externalSystem.request(3)
  expect([isSignedWith(three, first), isSignedWith(three, second)]).toEqual([false, true])
})

test('000-23: once a secret is set, no unsigned reply is accepted by link; signed ones are, with the link or without', async () => {
  const { rotate, token, shown } = await acme()
  expect(await reply('plain', { token })).toEqual([200, undefined])
  const secret = await rotate()
  expect(await reply('plain', { token })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await reply('with', { token, headers: sign(secret, 'with') })).toEqual([200, undefined])
  expect(await reply('without', { headers: sign(secret, 'without', { id: 'msg_2' }) })).toEqual([
    200,
    undefined
  ])
  const key = { authorization: 'Bearer the-admin-key-of-every-test' }
  expect(await reply('by key', { headers: key })).toEqual([200, undefined])
  expect(await shown()).toBe(4)
})

test('000-23: replies with forged, altered, stale, partial or retired signatures are refused, and nothing is stored', async () => {
  const { rotate, token, shown } = await acme()
  const oldSecret = await rotate()
  const secret = await rotate(0)
  const validHeaders = sign(secret, 'text')
  const hour = 3_600_000
  const invalidRequests: [string, Record<string, string>][] = [
    ['another body', validHeaders],
    ['text', sign(`whsec_${Buffer.alloc(32).toString('base64')}`, 'text')],
    ['text', sign(oldSecret, 'text')],
    ['text', sign(secret, 'text', { at: new Date(Date.now() - hour) })],
    ['text', sign(secret, 'text', { at: new Date(Date.now() + hour) })],
    ['text', { ...validHeaders, 'webhook-id': 'msg_other' }],
    ['text', { ...validHeaders, 'webhook-timestamp': 'soon' }],
    ['text', { ...validHeaders, 'webhook-signature': 'v1' }],
    ['text', { ...validHeaders, 'webhook-signature': 'v1, v2,x v1,' }],
    ['text', { ...validHeaders, 'webhook-signature': validHeaders['webhook-signature'].replace('v1', 'v0') }],
    ['text', { 'webhook-id': 'msg_1', 'webhook-signature': validHeaders['webhook-signature'] }]
  ]
  for (const [body, headers] of invalidRequests) {
    expect(await reply(body, { token, headers }), JSON.stringify(headers)).toEqual([401, 'UNAUTHENTICATED'])
    expect((await reply(body, { headers }))[0], JSON.stringify(headers)).toBe(401)
  }
  expect(await shown()).toBe(0)
  expect(await reply('text', { token, headers: validHeaders })).toEqual([200, undefined])
})

test('a signed reply that arrives twice is one message; the same ID with another text is refused', async () => {
  const { rotate, token, shown } = await acme()
  const secret = await rotate()
  for (let n = 0; n < 3; n++)
    expect(await reply('once', { token, headers: sign(secret, 'once') })).toEqual([200, undefined])
  expect(await reply('twice', { token, headers: sign(secret, 'twice') })).toEqual([422, 'KEY_REUSED'])
  expect(await shown()).toBe(1)
})

test('a signature alone finds its own workspace, even if another workspace has a session of the same ID', async () => {
  const { actAs, config, rotate, shown, sql } = await acme()
  await rotate()
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'x')`
  const other = actAs('Owner', 'other')
  await createAgent(other, config('https://other.example/in'))
  await createSession(other, { agentId: 'acme', sessionId: 'order-1' })
  const { secret } = await rotateAgentSecret(other, { agentId: 'acme', overlapSeconds: 0 })
  expect(await reply('theirs', { headers: sign(secret, 'theirs') })).toEqual([200, undefined])
  expect(await shown()).toBe(0)
  expect((await getSession(other, { sessionId: 'order-1' })).messages).toHaveLength(1)
})

test('a secret is shown once and stored encrypted; one that cannot be decrypted rejects every reply', async () => {
  allowErrors(/a request failed/)
  const { rotate, sql, token, shown, send, externalSystem, reopenSession } = await acme()
  const session = await reopenSession('order-1')
  const secret = await rotate()
  const [row] = await sql<{ sealed: string }[]>`select sealed from signing_secrets`
  expect(row?.sealed).not.toContain(secret.slice(6, 20))
  const listedText = JSON.stringify((await callEndpoint(list, { params: { agentId: 'acme' } })).body)
  expect(listedText).not.toContain(secret)
  await sql`update signing_secrets set sealed = 'v1.gone.x.y'`
  expect((await reply('plain', { token }))[0]).toBe(500)
  expect((await reply('signed', { token, headers: sign(secret, 'signed') }))[0]).toBe(500)
  expect(await shown()).toBe(0)

  await send('anybody there?')
  const { delivery } = await session.waitForEvent(failed)
  expect(delivery.attempts[0]?.error).toContain('WAYSTATION_VAULT_KEY')
  expect(externalSystem.requests).toHaveLength(0)

  const next = await rotate()
  expect(await reply('signed anew', { token, headers: sign(next, 'signed anew') })).toEqual([200, undefined])
})

const failed = (event: SessionEvent): event is Extract<SessionEvent, { type: 'delivery' }> =>
  event.type === 'delivery' && event.delivery.state === 'failed'

test('22 A9: users who can only read agents do not see who made a signing secret and when', async () => {
  const { ctx, rotate } = await acme()
  await rotate()
  const listSecretsAs = (role: Role) =>
    listAgentSecrets(
      { ...ctx, actor: { kind: 'person', userId: role, name: role, role, workspaceId: 'default' } },
      { agentId: 'acme' }
    )
  for (const role of ['viewer', 'operator'] as const)
    await expect(listSecretsAs(role)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  for (const role of ['editor', 'owner'] as const) expect((await listSecretsAs(role)).secrets).toHaveLength(1)
})
