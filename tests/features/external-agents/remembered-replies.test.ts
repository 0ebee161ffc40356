import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a server with a link that this process has cached, because one reply used it. */
async function startServerWithCachedLink() {
  const server = await startTestServer()
  const config = (displayName: string) =>
    AgentConfig.parse({
      agentId: 'acme',
      displayName,
      type: 'external',
      external: { inputUrl: 'https://acme.example/in' }
    })
  await createAgent(server.ctx, config('Acme'))
  await createSession(server.ctx, { agentId: 'acme', sessionId: 'order-1' })
  const tokenNow = async () =>
    new URL((await callbackLinkOf(server.ctx, { sessionId: 'order-1' })).callbackUrl).searchParams.get(
      'token'
    ) ?? ''
  const token = await tokenNow()
  const reply = async (raw: string, headers: Record<string, string> = {}, linkToken = token) =>
    (
      await requestEndpoint(externalOperations.callback, {
        params: { sessionId: 'order-1' },
        query: { token: linkToken },
        raw,
        headers
      })
    ).status
  const rotate = async () =>
    (await rotateAgentSecret(server.ctx, { agentId: 'acme', overlapSeconds: 0 })).secret
  const shown = async () => (await getSession(server.ctx, { sessionId: 'order-1' })).messages
  expect(await reply('first')).toBe(200)
  return { ...server, config, tokenNow, reply, rotate, shown }
}

const sign = (secret: string, body: string) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  'webhook-signature': new Webhook(secret).sign('msg_1', new Date(), body)
})

test('000-16 a link that was valid a moment ago is refused once the workspace signs with another secret', async () => {
  const { sql, reply, tokenNow, shown } = await startServerWithCachedLink()
  await sql`update workspaces set link_secret = 'another'`
  expect(await reply('by the old link')).toBe(401)
  expect(await reply('by the new link', {}, await tokenNow())).toBe(200)
  expect(await shown()).toHaveLength(2)
})

test('000-16 the first reply after a secret was set, rotated or removed is checked against the current secrets', async () => {
  const { sql, rotate, reply, shown } = await startServerWithCachedLink()
  const first = await rotate()
  expect(await reply('unsigned')).toBe(401)
  expect(await reply('signed', sign(first, 'signed'))).toBe(200)
  const second = await rotate()
  expect(await reply('by the retired one', sign(first, 'by the retired one'))).toBe(401)
  expect(await reply('exchanged', { ...sign(second, 'exchanged'), 'idempotency-key': 'k' })).toBe(200)
  await sql`delete from signing_secrets`
  expect(await reply('unsigned again')).toBe(200)
  expect(await shown()).toHaveLength(4)
})

test('000-16 a reply shows the agent’s current name, and finds no session that was deleted or created again', async () => {
  const { ctx, config, reply, shown } = await startServerWithCachedLink()
  await updateAgent(ctx, config('Acme Ltd'))
  expect(await reply('renamed')).toBe(200)
  expect((await shown()).map(({ metadata }) => metadata?.sentBy)).toEqual(['Acme', 'Acme Ltd'])
  await deleteSession(ctx, { sessionId: 'order-1' })
  expect(await reply('to nobody')).toBe(404)
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-1' })
  expect(await reply('to the next life')).toBe(404)
  expect(await shown()).toHaveLength(0)
})
