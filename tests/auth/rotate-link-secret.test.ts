import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { CreateWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { dispatch as answerRequest } from '#lib/api/dispatch.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { rotateLinkSecret } from '#lib/auth/workspaces/rotate-link-secret.ts'
import { authenticateReply } from '#lib/features/external-agents/authenticate-reply.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { receiveCallback } from '#lib/features/external-agents/receive-callback.ts'
import { answerPage } from '#lib/features/webhooks/answer-links/answer-page-link.ts'
import { createWebhook } from '#lib/features/webhooks/webhooks.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { replyCalls } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const rotate = () => callEndpoint(workspaceOperations.rotateLinkSecret)

const dispatch = {
  name: 'dispatch',
  where: 'external' as const,
  description: 'Sends a crew.',
  inputSchema: { type: 'object' },
  url: 'http://127.0.0.1:9/',
  retries: 0
}

test('22 A9: after the link secret is rotated, an earlier answer link is rejected and a new one works', async () => {
  const server = await startTestServer({ script: [replyCalls({ name: 'dispatch', input: {} })] })
  await server.saveAgent({ chat: { tools: [dispatch] } })
  const session = await server.startSession('test')
  await session.runTurn('go')
  const { toolCallId } = await session.waitForCall('dispatch')
  const currentLink = async () => {
    const params = { sessionId: session.id, toolCallId }
    const { body } = await callEndpoint(callOperations.link, { params })
    return String(body.answerUrl).split('/').at(-1) ?? ''
  }
  const answer = async (capability: string) =>
    (
      await requestEndpoint(callOperations.external, {
        params: { capability },
        body: { error: 'None left.' }
      })
    ).status
  const before = await currentLink()
  expect(await rotate()).toEqual({ status: 200, body: { rotatedAt: expect.stringMatching(/Z$/) } })
  expect(await answer(before)).toBe(401)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
  expect(await answer(await currentLink())).toBe(200)
})

test('22 A9: after the link secret is rotated, an earlier answer page is rejected and a new one opens', async () => {
  const question = { name: 'ask-question', input: { question: 'Tea?', options: [{ label: 'Yes' }] } }
  const server = await startTestServer({ script: [replyCalls(question)] })
  await server.saveAgent({ chat: { tools: [{ name: 'ask-question' }] } })
  const { webhook } = await createWebhook(
    server.ctx,
    CreateWebhook.parse({ url: 'https://acme.example/hook' })
  )
  const session = await server.startSession('test')
  await session.runTurn('go')
  const { toolCallId, kind } = await session.waitForCall('ask-question')
  const currentLink = async () => {
    const [row] = await server.sql<{ secret: string }[]>`select link_secret as secret from workspaces`
    const scope = { workspaceId: 'default', sessionKey: session.key, generation: 1, kind, toolCallId }
    return answerPage(server.env.url, row?.secret ?? '', { ...scope, webhookId: webhook.webhookId })
  }
  const open = async (link: string) => (await answerRequest(new Request(link))).status
  const before = await currentLink()
  expect(await open(before)).toBe(200)
  await rotate()
  expect(await open(before)).toBe(401)
  expect(await open(await currentLink())).toBe(200)
})

/** Starts a session of an external agent. `reply` sends a reply with a token to one process. */
async function startExternal() {
  const server = await startTestServer()
  const external = { inputUrl: 'https://acme.example/in' }
  const config = AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  await createAgent(server.ctx, config)
  await createSession(server.ctx, { agentId: 'acme', sessionId: 'order-1' })
  const currentToken = async () => {
    const { callbackUrl } = await callbackLinkOf(server.ctx, { sessionId: 'order-1' })
    return new URL(callbackUrl).searchParams.get('token') ?? ''
  }
  const reply = async (process: Ctx, token: string, text: string) => {
    const ctx: Ctx = { ...process, actor: { kind: 'system', name: 'nobody', workspaceId: 'default' } }
    return receiveCallback(await authenticateReply(ctx, { sessionId: 'order-1', token }, '127.0.0.1'), text)
  }
  return { ...server, tokenNow: currentToken, reply }
}

test('22 A9: after the link secret is rotated, no process accepts a reply with an earlier callback link from its cache', async () => {
  const { ctx, startSecondServer, tokenNow, reply } = await startExternal()
  const before = await tokenNow()
  const other = await startSecondServer()
  for (const process of [ctx, other.ctx])
    expect(await reply(process, before, 'hello')).toMatchObject({ ok: true })
  await rotateLinkSecret(ctx, {})
  const unauthenticated = { code: 'UNAUTHENTICATED' }
  for (const process of [ctx, other.ctx]) {
    await expect(reply(process, before, '')).rejects.toMatchObject(unauthenticated)
    await expect(reply(process, before, 'by the old link')).rejects.toMatchObject(unauthenticated)
    expect(await reply(process, await tokenNow(), 'by the new link')).toMatchObject({ ok: true })
    await expect(reply(process, before, 'by the old link again')).rejects.toMatchObject(unauthenticated)
  }
  expect((await getSession(ctx, { sessionId: 'order-1' })).messages).toHaveLength(4)
})

test('22 A9: only an owner can rotate the link secret, of their own workspace, and the audit log records it', async () => {
  const { ctx, sql } = await startTestServer()
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'theirs')`
  const { secret } = await createKey(ctx, { name: 'Ed', role: 'editor' })
  expect(await callEndpoint(workspaceOperations.rotateLinkSecret, {}, secret)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' }
  })
  const { body } = await rotate()
  const secrets = await sql<{ id: string; secret: string }[]>`
    select id, link_secret as secret from workspaces order by id`
  expect(secrets).toEqual([
    { id: 'default', secret: expect.stringMatching(/^[\w-]{43}$/) },
    { id: 'other', secret: 'theirs' }
  ])
  const { entries } = (await callEndpoint(externalOperations.audit)).body as { entries: object[] }
  const entry = { action: 'link-secret.rotated', actor: 'Environment key', credential: 'api', sessionId: '' }
  expect(entries).toMatchObject([{ ...entry, at: body.rotatedAt }])
  expect(JSON.stringify(entries)).not.toContain(secrets[0]?.secret)
})
