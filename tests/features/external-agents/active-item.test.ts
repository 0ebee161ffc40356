import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { AgentConfig, type ExternalConfig } from '#lib/protocol/agent/agent.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** 000-21: what a person has open goes along to an external agent, if they say so. */
async function acme(more: Partial<ExternalConfig> = {}, answer?: Parameters<typeof startOtherSystem>[0]) {
  const outside = await startOtherSystem(answer)
  const world = await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: outside.host } })
  const external = { inputUrl: `${outside.url}/in`, ...more }
  const config = { agentId: 'acme', displayName: 'Acme', type: 'external', external }
  await createAgent(world.ctx, AgentConfig.parse(config))
  await createSession(world.ctx, { agentId: 'acme', sessionId: 'order-1' })
  const session = await world.reopen('order-1')
  let count = 0
  /** Sends, and gives what the other system got, once that is written down. */
  const send = async (active?: object) => {
    const body = { text: `message ${count}`, ...(active ? { active } : {}) }
    const { status } = await callEndpoint(sessionOperations.send, { params: { sessionId: 'order-1' }, body })
    expect(status).toBe(202)
    const nth = count++
    await session.sees(
      event =>
        event.type === 'delivery' && event.delivery.state !== 'pending' && settled(event.delivery.id, nth)
    )
    return JSON.parse((await outside.request(nth)).body) as Record<string, unknown>
  }
  const seen: string[] = []
  const settled = (id: string, nth: number) => {
    if (!seen.includes(id)) seen.push(id)
    return seen.indexOf(id) === nth
  }
  return { ...world, outside, send }
}

const notes = { type: 'json', id: 'notes.json', name: 'Notes', content: { title: 'Oil', crates: [2, 3] } }

test('000-21: the active item goes along whole, and again only when it changed; beside the message stands its name alone', async () => {
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

test('000-21: with "everyMessage" the content comes each time, and what did not arrive comes again in any case', async () => {
  const each = await acme({ activeItem: 'everyMessage' })
  for (let n = 0; n < 2; n++) expect(await each.send(notes)).toHaveProperty('activeArtifactContent')
  let up = false
  const fails = await acme({}, response => void response.writeHead(up ? 200 : 503).end())
  expect(await fails.send(notes)).toHaveProperty('activeArtifactContent')
  up = true
  expect(await fails.send(notes)).toHaveProperty('activeArtifactContent')
  expect(await fails.send(notes)).not.toHaveProperty('activeArtifactContent')
})

test('000-21: what the agent’s config keeps back never leaves, nor is it stored for sending', async () => {
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

test('000-21: a page of a wiki goes along as it is when the message is accepted, and again only when it changed', async () => {
  const { send, ctx, outside } = await acme()
  const write = (text: string) =>
    importWiki(ctx, {
      wiki: 'recipes',
      file: 'a.json',
      text: JSON.stringify([{ title: 'Soup', text, tags: 'warm' }])
    })
  await createWiki(ctx, { name: 'recipes' })
  await write('Leek.')
  const soup = { type: 'wiki', wiki: 'recipes', title: 'Soup' }
  const first = await send(soup)
  expect(first).toMatchObject({
    activeArtifact: { type: 'wiki', id: 'recipes/Soup', name: 'Soup' },
    activeArtifactContent: { wiki: 'recipes', title: 'Soup', text: 'Leek.', tags: ['warm'] }
  })
  expect(await send(soup)).not.toHaveProperty('activeArtifactContent')
  await write('Leek and salt.')
  expect((await send(soup)).activeArtifactContent).toMatchObject({ text: 'Leek and salt.' })

  // The same message again is the same message, whatever the page says by then.
  const again = { params: { sessionId: 'order-1' }, body: { text: 'twice', key: 'k', active: soup } }
  const { body: receipt } = await callEndpoint(sessionOperations.send, again)
  await write('Salt.')
  expect((await callEndpoint(sessionOperations.send, again)).body).toEqual(receipt)
  await expect.poll(() => outside.requests.length).toBe(4)

  const { messages } = await getSession(ctx, { sessionId: 'order-1' })
  expect(messages[0]?.metadata?.active).toEqual({ type: 'wiki', id: 'recipes/Soup', name: 'Soup' })
  expect(JSON.stringify(messages)).not.toContain('Leek')
})

test('000-21: a page that is not there, is too long or is named by an end user is refused, and nothing is kept', async () => {
  const { ctx, outside } = await acme()
  await createWiki(ctx, { name: 'recipes' })
  const long = [{ title: 'Long', text: 'x'.repeat(256 * 1024) }]
  await importWiki(ctx, { wiki: 'recipes', file: 'a.json', text: JSON.stringify(long) })
  const answer = async (active: object, headers: Record<string, string> = {}) => {
    const body = { text: 'hi', active }
    const { status, body: said } = await callEndpoint(sessionOperations.send, {
      params: { sessionId: 'order-1' },
      body,
      headers
    })
    return [status, said.code]
  }
  const soup = { type: 'wiki', wiki: 'recipes', title: 'Soup' }
  expect(await answer(soup)).toEqual([404, 'NOT_FOUND'])
  expect(await answer({ ...soup, wiki: 'nowhere' })).toEqual([404, 'NOT_FOUND'])
  expect(await answer({ ...soup, title: 'Long' })).toEqual([413, 'TOO_LARGE'])
  expect(await answer({ ...soup, content: 'both' })).toEqual([422, 'INVALID_INPUT'])
  const params = { sessionId: 'order-1' }
  const { body: made } = await callEndpoint(tokenOperations.create, {
    params,
    body: { subject: 'ada', scopes: ['send'] }
  })
  expect(await answer(soup, { authorization: `Bearer ${made.token}` })).toEqual([403, 'FORBIDDEN'])
  expect((await getSession(ctx, { sessionId: 'order-1' })).messages).toEqual([])
  expect(outside.requests).toEqual([])
})

test('000-21: more than 256 KiB, and an active item for a chat agent, are refused; nothing is sent', async () => {
  const { ctx, outside } = await acme()
  const send = (sessionId: string, active: object) =>
    callEndpoint(sessionOperations.send, { params: { sessionId }, body: { text: 'hi', active } })
  const large = await send('order-1', { ...notes, content: 'x'.repeat(256 * 1024) })
  expect([large.status, large.body.code]).toEqual([413, 'TOO_LARGE'])
  await createSession(ctx, { agentId: 'guide', sessionId: 'chat-1' })
  const chat = await send('chat-1', notes)
  expect([chat.status, chat.body.code]).toEqual([422, 'INVALID_INPUT'])
  expect((await getSession(ctx, { sessionId: 'chat-1' })).messages).toEqual([])
  expect(outside.requests).toEqual([])
})
