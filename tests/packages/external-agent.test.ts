import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { CallEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import {
  cancelCall,
  type Delivery,
  type DeliveryStore,
  type ExternalAgentOptions,
  externalAgent,
  waitForCall
} from '@waystation/server'
import { nodeListener } from '@waystation/server/node'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Starts a Waystation server and an external agent with a signing secret, which answer each other over HTTP. */
async function withAgent(options: Omit<ExternalAgentOptions, 'secret'>, { retries = 0 } = {}) {
  const holder: { secret?: string } = {}
  const handler = externalAgent({ ...options, secret: () => holder.secret })
  const program = createServer(nodeListener(handler))
  await new Promise<void>(resolve => program.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    program.closeAllConnections()
    program.close()
  })
  const host = `127.0.0.1:${(program.address() as AddressInfo).port}`
  const url = await serveApi()
  const server = await startTestServer({ settings: { WAYSTATION_URL: url, WAYSTATION_EGRESS_ALLOW: host } })
  const external = { inputUrl: `http://${host}/`, retries }
  await createAgent(
    server.ctx,
    AgentConfig.parse({ agentId: 'office', displayName: 'Office', type: 'external', external })
  )
  holder.secret = (await rotateAgentSecret(server.ctx, { agentId: 'office', overlapSeconds: 0 })).secret
  await createSession(server.ctx, { agentId: 'office', sessionId: 'order-1' })
  const session = await server.reopenSession('order-1')
  return {
    ...server,
    handler,
    session,
    send: (text: string) => sendMessage(server.ctx, SendMessage.parse({ sessionId: 'order-1', text })),
    /** Waits for a reply with this text. */
    replied: (text: string) =>
      session.waitForEvent(event => event.type === 'message' && textOf(event.message) === text)
  }
}

test('an external agent asks for an approval, forgets everything, and continues with the answer', async () => {
  const { send, session, ctx, replied } = await withAgent({
    async onMessage({ id, text }, session) {
      await session.reply(`You said: ${text}`, { inReplyTo: id })
      await session.approve({ title: 'Refund', input: { cents: 4200 }, key: `refund-${id}` })
    },
    async onSettled({ kind, approved, input }, session) {
      await session.reply(`${kind} ${approved} ${JSON.stringify(input)}`)
    }
  })
  await send('Refund, please.')
  await replied('You said: Refund, please.')
  const { call } = await session.waitForEvent(event => event.type === 'call')
  await answerCall(ctx, { sessionId: 'order-1', toolCallId: call.toolCallId, answer: { approved: true } })
  await replied('approval true {"cents":4200}')
})

test('all kinds of requests can be opened, awaited and canceled, and replies can grow', async () => {
  const seen = Promise.withResolvers<unknown[]>()
  const { send, session, ctx, replied } = await withAgent({
    async onMessage(_, agent) {
      const question = await agent.ask({ title: 'Size', question: { question: 'Which size?' } })
      const schema = { type: 'object', properties: { city: { type: 'string' } } }
      const form = await agent.form({ title: 'Address', outputSchema: schema })
      const connection = await agent.connect({ title: 'Acme', integration: 'acme' })
      await agent.status('Waiting…')
      const answered = await waitForCall(question)
      const states = [await cancelCall(form), await cancelCall(connection)].map(({ state }) => state)
      const reply = agent.stream()
      void reply.write('In ')
      await reply.write('pieces.')
      await reply.end()
      seen.resolve([answered.output, ...states, connection.fetchUrl !== undefined])
    }
  })
  await send('Go.')
  const { call } = await session.waitForEvent(
    (event): event is CallEvent & SessionEvent =>
      event.type === 'call' && event.call.toolName === 'ask-question'
  )
  const answer = { output: { answer: 'L' } }
  await answerCall(ctx, { sessionId: 'order-1', toolCallId: call.toolCallId, answer })
  expect(await seen.promise).toEqual([{ answer: 'L' }, 'cancelled', 'cancelled', true])
  const { messages } = await session.get()
  expect(messages.map(textOf)).toContain('In pieces.')
  expect(replied).toBeTypeOf('function')
})

test('a delivery that fails is retried by the server, and a finished one runs once', async () => {
  const ids: string[] = []
  const errors: unknown[] = []
  const finished = new Set<string>()
  const store: DeliveryStore = {
    begin: async id => !finished.has(id),
    end: async id => void finished.add(id)
  }
  const { send, replied, handler, session } = await withAgent(
    {
      store,
      onError: error => errors.push(error),
      async onMessage({ id, text }, session, delivery) {
        ids.push(id)
        if (ids.length === 1) throw new Error('The database is away.')
        kept = delivery
        await session.reply(`Done: ${text}`, { key: `done-${id}` })
      }
    },
    { retries: 3 }
  )
  let kept: Delivery | undefined
  await send('Once.')
  await replied('Done: Once.')
  expect(ids).toEqual([ids[0], ids[0]])
  expect(errors).toMatchObject([{ message: 'The database is away.' }])
  // A program that restarts continues what it had begun, and the key makes the reply the same one.
  if (kept !== undefined) await handler.resume('dlv_kept', kept)
  expect(ids).toHaveLength(3)
  expect((await session.get()).messages.filter(({ role }) => role === 'assistant')).toHaveLength(1)
})

test('unsigned, malformed and huge requests are refused, and test messages run nothing', async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const open = externalAgent({ secret: false, onMessage: () => expect.unreachable() })
  const signed = externalAgent({ secret, onMessage: () => expect.unreachable() })
  const post = (body: string, headers = {}) =>
    new Request('http://agent.example/', { method: 'POST', body, headers })
  const statusOf = async (response: Promise<Response>) => (await response).status
  expect(await statusOf(signed(post('{}')))).toBe(401)
  expect(await statusOf(open(post('{')))).toBe(400)
  expect(await statusOf(open(post('x'.repeat(4 * 1024 * 1024 + 1))))).toBe(413)
  expect(await statusOf(open(new Request('http://agent.example/')))).toBe(405)
  const message = { sessionId: 's', agentId: 'a', callbackUrl: 'http://x.example', message: { type: 'test' } }
  expect(await statusOf(open(post(JSON.stringify(message), { 'webhook-id': 'dlv_1' })))).toBe(200)
  expect(() => externalAgent({ secret: undefined, onMessage: () => undefined })).toThrow(TypeError)
})
