import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { openTabs } from './chat-client.ts'

test('22 B2: a stock client learns in its stream if a message was not delivered to the external agent, and gets no notice otherwise', async () => {
  let up = false
  const externalSystem = await startExternalSystem(response =>
    up ? void response.end('ok') : void response.writeHead(503).end('We are closed.')
  )
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
  await createAgent(
    server.ctx,
    AgentConfig.parse({
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: { inputUrl: `${externalSystem.url}/in` }
    })
  )
  const { tab } = await openTabs()
  const chat = tab({ agentId: 'acme' })
  await chat.sendMessage({ text: 'Anybody there?' })
  const session = await server.reopenSession('s')
  const [stored] = (await session.get()).messages
  const part = stored?.parts.find(({ type }) => type === 'data-delivery')
  expect(part).toMatchObject({ id: stored?.id, data: { state: 'failed', reason: 503 } })
  expect(chat.status).toBe('ready')
  expect(chat.messages.at(-1)).toMatchObject({ role: 'assistant', parts: [part] })
  expect(chat.exchanges[0]?.chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
  expect(chat.exchanges[0]?.raw).not.toContain('closed')

  up = true
  // A status line does not change what the client reads.
  await callEndpoint(externalOperations.status, { params: { sessionId: 's' }, body: { text: 'Packing' } })
  await chat.sendMessage({ text: 'And now?' })
  expect(chat.exchanges[1]?.chunks).toEqual([{ type: 'finish', finishReason: 'stop' }])
  const { messages } = await session.get()
  expect(messages.map(({ parts }) => parts.map(({ type }) => type))).toEqual([
    ['text', 'data-delivery'],
    ['text', 'data-delivery']
  ])
})
