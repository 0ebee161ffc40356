import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import type { Operation } from '#lib/http/operation.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { rerunTurn } from '#lib/sessions/history/rerun-turn.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { type EndpointCall, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a session `order` with an external agent, Acme, and a function that posts to its callback. */
async function acme() {
  const externalSystem = await startExternalSystem(response => void response.writeHead(503).end())
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
  const external = { inputUrl: `${externalSystem.url}/in`, retries: 0 }
  await createAgent(
    server.ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  await createSession(server.ctx, { agentId: 'acme', sessionId: 'order' })
  const link = new URL((await callbackLinkOf(server.ctx, { sessionId: 'order' })).callbackUrl)
  const token = link.searchParams.get('token') ?? ''
  const reply = async (raw: string, query: Record<string, string>, headers: Record<string, string> = {}) => {
    const params = { sessionId: 'order' }
    const response = await requestEndpoint(externalOperations.callback, { params, query, raw, headers })
    return ((await response.json()) as { error?: string }).error
  }
  return { ...server, externalSystem, token, reply }
}

test('errors explain why a reply of an external agent is refused', async () => {
  const { ctx, token, reply } = await acme()
  const replyPiece = (text: string, done = '') =>
    reply(text, { token }, { 'waystation-message': `r1${done}` })
  const signature = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,eA==' }
  const post = async (
    operation: Operation,
    input: EndpointCall,
    query: Record<string, string> = { token }
  ) => {
    const params = { sessionId: 'order', fileId: 'file_1' }
    const response = await requestEndpoint(operation, { params, query, ...input })
    return ((await response.json()) as { error?: string }).error
  }
  await expectSentences([
    [
      'no link, no signature and no key',
      () => reply('Hi', {}),
      'The request has no credential. Use the callbackUrl as you received it, sign the request, or send an API key as "Authorization: Bearer …".'
    ],
    [
      'a forged link',
      () => reply('Hi', { token: 'made-up' }),
      'The token of the callbackUrl is not valid. Use the callbackUrl exactly as you received it.'
    ],
    [
      'a key that is none',
      () => reply('Hi', {}, { authorization: 'Bearer none' }),
      'This API key is not valid. Send an API key of this workspace.'
    ],
    [
      'a signature of nobody',
      () => reply('Hi', {}, signature),
      'No agent has a secret that matches this signature.'
    ],
    ['nothing', () => reply(' ', { token }), 'The reply is empty. Send its text as the body.'],
    [
      'nothing as JSON',
      () => post(externalOperations.reply, { body: {} }),
      'The reply is empty. Send "text", "fileIds" or both.'
    ],
    [
      'too much text as JSON',
      () => post(externalOperations.reply, { body: { text: 'x'.repeat(2 ** 20 + 1) } }),
      'The text of a reply can be up to 1 MiB. Split it into more replies.'
    ],
    [
      'an answer to a message of another session',
      () => post(externalOperations.reply, { body: { text: 'Hi', inReplyTo: 'msg_1' } }),
      'The ID in "inReplyTo" (the header Waystation-In-Reply-To) must name a message that this session sent to you.'
    ],
    [
      'a link to a file that is made up',
      () => post(externalOperations.sentFile, {}),
      'The link to this file is not valid. Use the URL exactly as you received it.'
    ],
    [
      'a piece of a reply that is finished',
      () => replyPiece('Two', '; done').then(() => replyPiece('more')),
      'The reply "r1" is already finished. Start a new reply with another ID.'
    ],
    [
      'no signature, of an agent that has a secret',
      async () => {
        await rotateAgentSecret(ctx, { agentId: 'acme', overlapSeconds: 0 })
        return reply('Hi', { token })
      },
      'Acme has a signing secret. Sign the request (Standard Webhooks), or send an API key of the workspace.'
    ],
    [
      'a file with a signature alone',
      () => post(externalOperations.replyFile, { raw: 'a', headers: signature }, { name: 'a' }),
      'A signature alone cannot upload a file. Send the token of the callbackUrl too, or an API key.'
    ],
    [
      'a signature that does not fit',
      () => reply('Hi', { token }, signature),
      'The signature is not valid. Check the signing secret, the timestamp and the body.'
    ]
  ])
})

test('errors explain which actions an external agent does not support', async () => {
  const { ctx, externalSystem, reopenSession } = await acme()
  const send = (extra: object) =>
    sendMessage(ctx, SendMessage.parse({ sessionId: 'order', text: 'Look', ...extra }))
  await expectSentences([
    [
      'a session without an ID',
      () => createSession(ctx, { agentId: 'acme' }),
      'Acme is an external agent. Choose the session ID, because the agent uses it to identify the conversation.'
    ],
    [
      'an active item that is too large',
      () => send({ active: { type: 'json', id: 'a', name: 'A', content: 'x'.repeat(2 ** 20) } }),
      /^An active item can be up to \d+ KiB\. Send a smaller item, or none\.$/
    ],
    [
      'a turn that is run again',
      async () => {
        const { messageId } = await send({})
        return rerunTurn(ctx, { sessionId: 'order', messageId: messageId ?? '', calls: false })
      },
      'The external agent has its own copy of this conversation, so you cannot edit, rerun or delete its messages. Send the agent a new message.'
    ],
    [
      'an active item for an agent of ours',
      async () => {
        const { sessionId } = await createSession(ctx, { agentId: 'guide' })
        return sendMessage(
          ctx,
          SendMessage.parse({
            sessionId,
            text: 'Look',
            active: { type: 'json', id: 'a', name: 'A', content: 1 }
          })
        )
      },
      'Only external agents receive an active item. Put its content into the message, or attach it.'
    ],
    [
      'a message that it does not take',
      async () => {
        const session = await reopenSession('order')
        await externalSystem.request(0)
        const event = await session.waitForEvent(
          candidate => candidate.type === 'delivery' && candidate.delivery.state === 'failed'
        )
        return event.type === 'delivery' ? event.delivery.attempts[0]?.error : event
      },
      'The endpoint responded with 503.'
    ]
  ])
})
