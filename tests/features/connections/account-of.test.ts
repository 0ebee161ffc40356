import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createKey } from '#lib/auth/create-key.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import type { CallEvent, SessionEvent } from '#lib/protocol/event.ts'
import { SendOob } from '#lib/protocol/out-of-band.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { sendOutOfBand } from '#lib/sessions/send-out-of-band.ts'
import { connectAt, lacks, withAcme } from '#tests/support/fakes/connecting.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { type ModelScript, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { by, eveIn, keyOf, person } from '#tests/support/worlds/actors.ts'
import type { TestSession } from '#tests/support/worlds/world.ts'

const [ann, bob] = [person('ann'), person('bob')]
/** A world in which Ann, Bob and Eve each have an account of their own at Acme. */
async function shared(settings: Record<string, string> = {}, clerk = 'default') {
  const world = await withAcme(settings)
  await world.ctx.sql`
    update agents set config = jsonb_set(config, '{chat,model}', to_jsonb(${clerk}::text)) where id = 'acme-clerk'`
  for (const owner of ['person:ann', 'person:bob', 'subject:eve']) {
    const { sessionId } = await createSession(world.ctx, { agentId: 'acme-clerk' })
    const session = await world.reopen(sessionId)
    await session.says('connect acme')
    const done = session.ends()
    await connectAt(world, session, await lacks(session, 'request_connection'))
    await done
    await world.ctx.sql`
      update connections set sharing = 'user', owner = ${owner}, owner_name = ${owner} where sharing = 'session'`
  }
  await world.ctx.sql`delete from connection_uses`
  /** A session of the clerk, as each of them sees it. */
  const open = async (subject?: string, agentId = 'acme-clerk') => {
    const made = { agentId, ...(subject === undefined ? {} : { subject }) }
    const { sessionId } = await createSession(world.ctx, made)
    return { sessionId, as: (actor: Actor) => world.reopen(sessionId, by(world.ctx, actor)) }
  }
  const usedOf = async () =>
    (
      await world.ctx.sql`select distinct owner from connections join connection_uses on id = connection_id`
    ).map(({ owner }) => owner)
  return { ...world, open, usedOf }
}

const ordering = 'use acme-create-order {"item": "tea", "quantity": 1}'
const listing = 'use acme-list-orders {}'

test('22 A3: whose account a call uses is fixed when it opens, and shown with it: who writes meanwhile changes nothing', async () => {
  const { open, usedOf } = await shared()
  const { as } = await open()
  const [bobs, anns] = [await as(bob), await as(ann)]
  await bobs.says(ordering)
  const call = await bobs.waitsFor('acme-create-order')
  expect(call.accountOf).toEqual({ id: 'person:bob', name: 'bob' })
  await anns.says('Thanks.')
  await bobs.answer(call, { approved: true })
  await expect.poll(usedOf).toEqual(['person:bob'])
})

test('22 A3: where several asked for a turn, its call asks the owner of the account first, and nobody else may answer', async () => {
  const held = Promise.withResolvers<ServerResponse>()
  const outside = await startOtherSystem(held.resolve)
  const { open, usedOf, ctx, agent } = await shared({ WAYSTATION_EGRESS_ALLOW: outside.host })
  await agent({ chat: { tools: [{ name: 'web-fetch' }, { name: 'acme-list-orders' }] } })
  const { sessionId, as } = await open(undefined, 'test')
  const bobs = await as(bob)
  await bobs.send(`use web-fetch {"url": "${outside.url}/slow"}`)
  const response = await held.promise
  await (await as(ann)).send(listing, { whenBusy: 'steer' })
  response.end('It is there.')
  const isAsked = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.kind === 'approval'
  const { call } = await bobs.sees(isAsked)
  expect(call).toMatchObject({
    accountOf: { id: 'person:ann', name: 'ann', others: ['bob'] },
    answerers: { people: [{ id: 'person:ann' }], links: false }
  })
  for (const actor of [bob, ctx.actor, eveIn(sessionId)])
    await expect(bobs.answer(call, { approved: true }, by(ctx, actor))).rejects.toMatchObject({
      code: 'FORBIDDEN'
    })
  expect(await usedOf()).toEqual([])
  await bobs.answer(call, { approved: true }, by(ctx, ann))
  await expect.poll(usedOf).toEqual(['person:ann'])
})

test('22 A3: the owner of an account says no: the call is not run with it, and the agent is told', async () => {
  const { open, usedOf, ctx } = await shared()
  const { as } = await open('eve')
  const bobs = await as(bob)
  await bobs.says(listing)
  const call = await bobs.waitsFor('acme-list-orders')
  const done = bobs.ends()
  await bobs.answer(call, { approved: false, reason: 'Mine.' }, by(ctx, eveIn(bobs.id)))
  await done
  expect(await bobs.settles(call)).toMatchObject({ state: 'denied', reason: 'Mine.' })
  expect(await usedOf()).toEqual([])
})

test('22 A3: what an operator writes into an end user’s session uses that user’s account only once the user approved it', async () => {
  const { open, usedOf, ctx } = await shared()
  const { sessionId, as } = await open('eve')
  const bobs = await as(bob)
  await bobs.says(listing)
  const call = await bobs.waitsFor('acme-list-orders')
  expect(call.accountOf).toEqual({ id: 'subject:eve', name: 'eve', others: ['bob'] })
  await expect(bobs.answer(call, { approved: true })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await bobs.answer(call, { approved: true }, by(ctx, eveIn(sessionId)))
  await expect.poll(usedOf).toEqual(['subject:eve'])
})

test('22 A3: an end user’s own words, and those of an editor’s key that speaks for them, use the user’s account unasked', async () => {
  const { open, usedOf, ctx } = await shared()
  const { key } = await createKey(ctx, { name: 'Product', role: 'editor' })
  const product = keyOf('editor', key.id)
  for (const speaker of [eveIn, () => product]) {
    await ctx.sql`delete from connection_uses`
    const { sessionId, as } = await open('eve')
    expect(await (await as(speaker(sessionId))).says(listing)).toMatchObject({ outcome: 'done' })
    expect(await usedOf()).toEqual(['subject:eve'])
  }
})

test('22 A3: who tells an agent something out of band has asked for the turn as well', async () => {
  const { open, ctx } = await shared()
  const { sessionId, as } = await open()
  await sendOutOfBand(by(ctx, ann), SendOob.parse({ sessionId, content: 'Look at the orders.' }))
  const bobs = await as(bob)
  await bobs.says(listing)
  expect((await bobs.waitsFor('acme-list-orders')).accountOf).toEqual({
    id: 'person:bob',
    name: 'bob',
    others: ['ann']
  })
})

test('22 A3: a program that writes has no account of its own, and uses nobody’s', async () => {
  const { open, usedOf, ctx } = await shared()
  const { as } = await open()
  const theirs = await as(ctx.actor)
  await theirs.says(listing)
  expect(await lacks(theirs, 'acme-list-orders')).not.toHaveProperty('accountOf')
  expect(await usedOf()).toEqual([])
})

/** The same with an agent `test` whose model plays a script. */
async function scripted(script: ModelScript, tools: object[]) {
  const model = await startOpenAIServer({ script })
  onTestFinished(() => model.close())
  const world = await shared({ OPENAI_BASE_URL: model.url }, 'demo/demo')
  await world.agent({ chat: { model: 'openai-compatible/script', tools } as never })
  return { ...world, model }
}

/** Waits until a call asks the owner of an account, and gives it. */
async function consentIn(session: TestSession) {
  const isConsent = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.kind === 'approval' && event.call.accountOf?.others !== undefined
  return (await session.sees(isConsent)).call
}

const question = calls({ name: 'ask-question', input: { question: 'Which?' } })
const orders = calls({ name: 'acme-list-orders', input: {} })
const clerk = [{ name: 'ask-question' }, { name: 'acme-list-orders' }]

test('22 A3: a sub-agent of a turn that several asked for uses nobody’s account', async () => {
  const { open, usedOf, ctx } = await scripted(
    ({ body }) => {
      const text = JSON.stringify(body.messages)
      if (text.includes('List them.')) return text.includes('Have') ? says('Waiting.') : orders
      return calls({ name: 'spawn-agent', input: { task: 'List them.' } })
    },
    [{ name: 'spawn-agent' }, { name: 'acme-list-orders' }]
  )
  const { as } = await open('eve', 'test')
  await (await as(bob)).send('Have the orders listed.')
  const asked = () =>
    ctx.sql`select kind, account_of as account from calls where tool_name = 'acme-list-orders'`
  await expect.poll(asked).toEqual([{ kind: 'connection', account: null }])
  expect(await usedOf()).toEqual([])
})

test('22 A3: what a late answer begins is still the turn of who had asked, whoever wrote meanwhile', async () => {
  const { open, usedOf } = await scripted([question, says('Hello Ann.'), orders], clerk)
  const { as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  await bobs.says('Ask me, then list the orders.')
  const asked = await bobs.waitsFor('ask-question')
  await anns.says('Hello.')
  await bobs.answer(asked, { output: { answer: 'All.' } })
  expect((await bobs.waitsFor('acme-list-orders')).accountOf).toEqual({
    id: 'person:ann',
    name: 'ann',
    others: ['bob']
  })
  expect(await usedOf()).toEqual([])
})

test('22 A3: who answers an agent’s question has asked for what it does then', async () => {
  const { open, usedOf } = await scripted([question, orders, says('Done.')], clerk)
  const { as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  await anns.says('Ask, then list.')
  await bobs.answer(await bobs.waitsFor('ask-question'), { output: { answer: 'All.' } })
  const call = await consentIn(anns)
  expect(call.accountOf).toEqual({ id: 'person:ann', name: 'ann', others: ['bob'] })
  await anns.answer(call, { approved: true })
  await expect.poll(usedOf).toEqual(['person:ann'])
})

test('22 A3: who approves a call with other arguments has asked for it: the owner of the account is asked', async () => {
  const { open, usedOf } = await shared()
  const { as } = await open()
  const [bobs, anns] = [await as(bob), await as(ann)]
  await anns.says(ordering)
  const call = await anns.waitsFor('acme-create-order')
  await bobs.answer(call, { approved: true, input: { item: 'coffee', quantity: 9 } })
  const asked = await consentIn(anns)
  expect(asked).toMatchObject({ state: 'open', kind: 'approval', accountOf: { others: ['bob'] } })
  expect(await usedOf()).toEqual([])
  await anns.answer(asked, { approved: true })
  await expect.poll(usedOf).toEqual(['person:ann'])
})

test('22 A3: an agent that another agent told something out of band works for more than who wrote to it', async () => {
  const { open, ctx } = await scripted([says('Hello.'), orders], clerk)
  const { sessionId, as } = await open(undefined, 'test')
  const anns = await as(ann)
  await anns.says('Hello.')
  const { sessionKey } = await sessionOf(ctx, (await open(undefined, 'test')).sessionId)
  const told = SendOob.parse({
    sessionId,
    content: 'List.',
    source: 'agent',
    sourceId: 'a',
    priority: 'critical'
  })
  await sendOutOfBand(ctx, told, { key: sessionKey, chain: [], hops: 1 })
  expect((await anns.waitsFor('acme-list-orders')).accountOf).toMatchObject({
    id: 'person:ann',
    others: [expect.any(String)]
  })
})

const sessionOf = async (ctx: Ctx, id: string) => ({
  sessionKey: Number((await ctx.sql`select key from sessions where id = ${id}`)[0]?.key)
})
