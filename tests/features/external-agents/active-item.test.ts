import { AgentConfig, type ExternalConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/**
 * 000-21: a message to an external agent can include the user’s active item. Returns a session with such an
 * agent.
 */
async function acme(extra: Partial<ExternalConfig> = {}, answer?: Parameters<typeof startExternalSystem>[0]) {
  const externalSystem = await startExternalSystem(answer)
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
  const external = { inputUrl: `${externalSystem.url}/in`, ...extra }
  const config = { agentId: 'acme', displayName: 'Acme', type: 'external', external }
  await createAgent(server.ctx, AgentConfig.parse(config))
  await createSession(server.ctx, { agentId: 'acme', sessionId: 'order-1' })
  const session = await server.reopenSession('order-1')
  let count = 0
  /** Sends a message and returns the body that the external agent received, once its delivery is recorded. */
  const send = async (active?: object) => {
    const body = { text: `message ${count}`, ...(active ? { active } : {}) }
    const { status } = await callEndpoint(sessionOperations.send, { params: { sessionId: 'order-1' }, body })
    expect(status).toBe(202)
    const nth = count++
    await session.waitForEvent(
      event =>
        event.type === 'delivery' && event.delivery.state !== 'pending' && isDelivery(event.delivery.id, nth)
    )
    return JSON.parse((await externalSystem.request(nth)).body) as Record<string, unknown>
  }
  const deliveryIds: string[] = []
  const isDelivery = (id: string, nth: number) => {
    if (!deliveryIds.includes(id)) deliveryIds.push(id)
    return deliveryIds.indexOf(id) === nth
  }
  return { ...server, externalSystem, send }
}

const notes = { type: 'json', id: 'notes.json', name: 'Notes', content: { title: 'Oil', crates: [2, 3] } }

test('000-21: the active item is sent in full, and again only when it changed; the message itself stores only its name', async () => {
  const { send, ctx } = await acme()
  const first = await send(notes)
  expect(first).toMatchObject({
    activeArtifact: {
      type: 'json',
      id: 'notes.json',
      name: 'Notes',
      digest: expect.stringMatching(/^[\da-f]{64}$/)
    },
    activeArtifactContent: notes.content
  })
  const second = await send({ ...notes, content: { crates: [2, 3], title: 'Oil' } })
  expect(second.activeArtifact).toEqual(first.activeArtifact)
  expect(second).not.toHaveProperty('activeArtifactContent')
  const third = await send({ ...notes, content: { title: 'Oil', crates: [4] } })
  expect(third.activeArtifactContent).toEqual({ title: 'Oil', crates: [4] })
  const other = await send({ ...notes, id: 'other.json', content: { title: 'Oil', crates: [4] } })
  expect(other).toHaveProperty('activeArtifactContent')
  expect(await send()).not.toHaveProperty('activeArtifact')
  const { messages } = await getSession(ctx, { sessionId: 'order-1' })
  expect(messages[0]?.metadata?.active).toEqual({ type: 'json', id: 'notes.json', name: 'Notes' })
  expect(JSON.stringify(messages)).not.toContain('crates')
})

test('000-21: with "everyMessage" the content is sent each time, and undelivered content is always sent again', async () => {
  const everyMessage = await acme({ activeItem: 'everyMessage' })
  for (let n = 0; n < 2; n++) expect(await everyMessage.send(notes)).toHaveProperty('activeArtifactContent')
  let isUp = false
  const failing = await acme({}, response => void response.writeHead(isUp ? 200 : 503).end())
  expect(await failing.send(notes)).toHaveProperty('activeArtifactContent')
  isUp = true
  expect(await failing.send(notes)).toHaveProperty('activeArtifactContent')
  expect(await failing.send(notes)).not.toHaveProperty('activeArtifactContent')
})

test('000-21: fields that the agent’s config redacts are never sent, nor stored for sending', async () => {
  const { send, sql } = await acme({ redact: ['password', 'IBAN'] })
  const content = {
    user: { name: 'Ada', Password: 'hunter2' },
    accounts: [{ iban: 'DE00 1234' }],
    note: 'fine'
  }
  expect((await send({ ...notes, content })).activeArtifactContent).toEqual({
    user: { name: 'Ada', Password: '[redacted]' },
    accounts: [{ iban: '[redacted]' }],
    note: 'fine'
  })
  const stored = await sql`select body::text from deliveries union all select payload::text from events`
  expect(JSON.stringify(stored)).not.toMatch(/hunter2|DE00/)
})

test('000-21: a wiki page is sent as it is when the message is accepted, and again only when it changed', async () => {
  const { send, ctx, externalSystem } = await acme()
  const write = (text: string) =>
    importWiki(ctx, {
      wiki: 'recipes',
      file: 'a.json',
      text: JSON.stringify([{ title: 'Soup', text, tags: 'warm' }])
    })
  await createWiki(ctx, { name: 'recipes' })
  await write('Leek.')
  const soupItem = { type: 'wiki', wiki: 'recipes', title: 'Soup' }
  const first = await send(soupItem)
  expect(first).toMatchObject({
    activeArtifact: { type: 'wiki', id: 'recipes/Soup', name: 'Soup' },
    activeArtifactContent: { wiki: 'recipes', title: 'Soup', text: 'Leek.', tags: ['warm'] }
  })
  expect(await send(soupItem)).not.toHaveProperty('activeArtifactContent')
  await write('Leek and salt.')
  expect((await send(soupItem)).activeArtifactContent).toMatchObject({ text: 'Leek and salt.' })

  // Repeating a message returns the same message, even if the page has changed.
  const repeatedMessage = {
    params: { sessionId: 'order-1' },
    body: { text: 'twice', key: 'k', active: soupItem }
  }
  const { body: receipt } = await callEndpoint(sessionOperations.send, repeatedMessage)
  await write('Salt.')
  expect((await callEndpoint(sessionOperations.send, repeatedMessage)).body).toEqual(receipt)
  await expect.poll(() => externalSystem.requests.length).toBe(4)

  const { messages } = await getSession(ctx, { sessionId: 'order-1' })
  expect(messages[0]?.metadata?.active).toEqual({ type: 'wiki', id: 'recipes/Soup', name: 'Soup' })
  expect(JSON.stringify(messages)).not.toContain('Leek')
})

test('000-21: a page that is missing, too long or named by an end user is refused, and nothing is stored', async () => {
  const { ctx, externalSystem } = await acme()
  await createWiki(ctx, { name: 'recipes' })
  const longPage = [{ title: 'Long', text: 'x'.repeat(256 * 1024) }]
  await importWiki(ctx, { wiki: 'recipes', file: 'a.json', text: JSON.stringify(longPage) })
  const answer = async (active: object, headers: Record<string, string> = {}) => {
    const body = { text: 'hi', active }
    const { status, body: errorBody } = await callEndpoint(sessionOperations.send, {
      params: { sessionId: 'order-1' },
      body,
      headers
    })
    return [status, errorBody.code]
  }
  const soupItem = { type: 'wiki', wiki: 'recipes', title: 'Soup' }
  expect(await answer(soupItem)).toEqual([404, 'NOT_FOUND'])
  expect(await answer({ ...soupItem, wiki: 'nowhere' })).toEqual([404, 'NOT_FOUND'])
  expect(await answer({ ...soupItem, title: 'Long' })).toEqual([413, 'TOO_LARGE'])
  expect(await answer({ ...soupItem, content: 'both' })).toEqual([422, 'INVALID_INPUT'])
  const params = { sessionId: 'order-1' }
  const { body: createdBody } = await callEndpoint(tokenOperations.create, {
    params,
    body: { subject: 'ada', scopes: ['send'] }
  })
  expect(await answer(soupItem, { authorization: `Bearer ${createdBody.token}` })).toEqual([403, 'FORBIDDEN'])
  expect((await getSession(ctx, { sessionId: 'order-1' })).messages).toEqual([])
  expect(externalSystem.requests).toEqual([])
})

test('000-21: more than 256 KiB, and an active item for a chat agent, are refused, and nothing is sent', async () => {
  const { ctx, externalSystem } = await acme()
  const send = (sessionId: string, active: object) =>
    callEndpoint(sessionOperations.send, { params: { sessionId }, body: { text: 'hi', active } })
  const largeItem = await send('order-1', { ...notes, content: 'x'.repeat(256 * 1024) })
  expect([largeItem.status, largeItem.body.code]).toEqual([413, 'TOO_LARGE'])
  await createSession(ctx, { agentId: 'guide', sessionId: 'chat-1' })
  const chat = await send('chat-1', notes)
  expect([chat.status, chat.body.code]).toEqual([422, 'INVALID_INPUT'])
  expect((await getSession(ctx, { sessionId: 'chat-1' })).messages).toEqual([])
  expect(externalSystem.requests).toEqual([])
})
