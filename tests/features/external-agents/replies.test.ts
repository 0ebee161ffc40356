import { CreateWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import { expect, test } from 'vitest'
import { createWebhook } from '#lib/features/webhooks/webhooks.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import type { ExternalRequest } from '#tests/support/fakes/external-system.ts'
import { acme, reply } from './acme.ts'

const bodyOf = ({ body }: ExternalRequest) => JSON.parse(body)

test('000-11, 000-16: a reply names the message that it answers, and a reply that names another one is refused', async () => {
  const { externalSystem, send, token, ctx } = await acme()
  const { messageId } = await send('two crates')
  expect(bodyOf(await externalSystem.request(0)).message.id).toBe(messageId)
  await send('and a lamp')
  const answering = (id: unknown, text: string, headers = {}) =>
    reply(text, { token }, { 'waystation-in-reply-to': String(id), ...headers })
  const answered = await answering(messageId, 'The crates are here.', { 'idempotency-key': 'k1' })
  expect(answered.status).toBe(200)
  expect(await answering(messageId, 'The crates are here.', { 'idempotency-key': 'k1' })).toEqual(answered)
  await answering(messageId, 'In ', { 'waystation-message': 'r1' })
  await reply('pieces.', { token }, { 'waystation-message': 'r1; done' })
  const replies = async () =>
    (await getSession(ctx, { sessionId: 'order-1' })).messages.filter(({ role }) => role === 'assistant')
  const before = await replies()
  expect(before.map(({ metadata }) => metadata?.inReplyTo)).toEqual([messageId, messageId])
  for (const wrong of ['msg_unknown', answered.body.messageId, ''])
    expect(await answering(wrong, 'Lost.')).toMatchObject({
      status: 422,
      body: { code: 'INVALID_INPUT', fields: { inReplyTo: expect.any(String) } }
    })
  expect(await replies()).toEqual(before)
})

test('001-21: a reply with the type of wikitext, complete or in pieces, is stored as wikitext', async () => {
  const { send, token, ctx } = await acme()
  await send('two crates')
  const type = { 'content-type': 'text/vnd.tiddlywiki; charset=utf-8' }
  await reply('! Crates', { token }, type)
  await reply('! La', { token }, { ...type, 'waystation-message': 'r1' })
  await reply('mp', { token }, { ...type, 'waystation-message': 'r1; done' })
  await reply('# Lamp', { token }, { 'content-type': 'text/markdown' })
  const { messages } = await getSession(ctx, { sessionId: 'order-1' })
  const replies = messages.filter(({ role }) => role === 'assistant')
  const wikitext = 'text/vnd.tiddlywiki'
  expect(replies.map(({ metadata }) => metadata?.contentType)).toEqual([wikitext, wikitext, undefined])
})

test('000-17: each complete reply is sent to the webhooks that subscribe to it, once', async () => {
  const { externalSystem, send, token, ctx, env } = await acme()
  const hook = { url: `${externalSystem.url}/hook`, events: ['message.received'] }
  await createWebhook(ctx, CreateWebhook.parse(hook))
  const { messageId } = await send('two crates')
  await externalSystem.request(0)
  const headers = { 'waystation-in-reply-to': messageId, 'idempotency-key': 'k1' }
  const whole = await reply('They are **here**.', { token }, headers)
  await reply('They are **here**.', { token }, headers)
  await reply('In ', { token }, { 'waystation-message': 'r1' })
  const pieces = await reply('pieces.', { token }, { 'waystation-message': 'r1; done' })
  await externalSystem.request(2)
  const [first, second] = externalSystem.requests.filter(({ path }) => path === '/hook').map(bodyOf)
  expect(first).toMatchObject({
    type: 'message.received',
    data: {
      sessionId: 'order-1',
      agentId: 'acme',
      url: `${env.url}/sessions/order-1`,
      messageId: whole.body.messageId,
      inReplyTo: messageId,
      snippet: 'They are **here**.'
    }
  })
  expect(second.data).toMatchObject({ messageId: pieces.body.messageId, snippet: 'In pieces.' })
  expect(externalSystem.requests).toHaveLength(3)
})
