import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { handSession } from '#lib/features/delegation/hand-off-session.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { answerExternal } from '#lib/features/webhooks/answer-links/answer-external.ts'
import { answerLinkOf } from '#lib/features/webhooks/answer-links/answer-link-of.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import type { Answer } from '#lib/protocol/call/call.ts'
import { SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { CallEvent, SessionEvent } from '#lib/protocol/session/event.ts'
import { RemoveTurn, RerunTurn } from '#lib/protocol/session/turn-action.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { removeTurn } from '#lib/sessions/history/remove-turn.ts'
import { rerunTurn } from '#lib/sessions/history/rerun-turn.ts'
import { connectAt, lacks, withAcme } from '#tests/support/fakes/connecting.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { type ModelScript, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { by, eveIn, keyOf, person } from '#tests/support/worlds/actors.ts'
import type { TestSession } from '#tests/support/worlds/world.ts'

const [ann, bob] = [person('ann'), person('bob')]
/** A world in which each owner has an account of their own at Acme: Ann, Bob and Eve, where nobody says otherwise. */
async function shared(
  settings: Record<string, string> = {},
  clerk = 'default',
  owners = ['person:ann', 'person:bob', 'subject:eve']
) {
  const world = await withAcme(settings)
  await world.ctx.sql`
    update agents set config = jsonb_set(config, '{chat,model}', to_jsonb(${clerk}::text)) where id = 'acme-clerk'`
  for (const owner of owners) {
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

/** The same with Ann's account only, and an agent `test` whose model plays a script. */
async function scripted(script: ModelScript, tools: object[], settings: Record<string, string> = {}) {
  const model = await startOpenAIServer({ script })
  onTestFinished(() => model.close())
  const world = await shared({ OPENAI_BASE_URL: model.url, ...settings }, 'demo/demo', ['person:ann'])
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

test('22 A3: a sub-agent works for the same person as the agent above, and for nobody alone where several had a word there', async () => {
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
  const account = { id: 'subject:eve', name: 'eve', others: ['bob'] }
  await expect.poll(asked).toEqual([{ kind: 'connection', account }])
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

/** Whose account the listing of orders may use, as it opened. */
async function listedFor(session: TestSession) {
  const isListing = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.toolName === 'acme-list-orders'
  return (await session.sees(isListing)).call.accountOf
}

const annAlone = { id: 'person:ann', name: 'ann' }
const annAndBob = { ...annAlone, others: ['bob'] }
const reason = 'List all orders instead.'
const order = calls({ name: 'acme-create-order', input: { item: 'tea', quantity: 1 } })
const ordered = [...clerk, { name: 'acme-create-order', approval: 'ask' }]
const pickFile = { name: 'pick-file', description: 'Picks a file.', inputSchema: { type: 'object' } }
const answers: [string, ReturnType<typeof calls>, Answer][] = [
  ['declines a question with a reason', question, { declined: true, reason }],
  ['denies a call with a reason', order, { approved: false, reason }],
  ['answers for a browser', calls({ name: 'pick-file', input: {} }), { output: { name: reason } }],
  ['answers for another system', calls({ name: 'outside', input: {} }), { output: { said: reason } }],
  [
    'says that a sub-agent failed',
    calls({ name: 'spawn-agent', input: { task: 'Wait.' } }),
    { error: reason }
  ],
  [
    'says why there is no account',
    calls({ name: 'request_connection', input: { integration: 'acme', slug: 'other' } }),
    { output: { connected: false, reason } }
  ]
]

/** A tool of another system, and what lets it be called. */
async function otherTool() {
  const other = await startOtherSystem()
  const tool = {
    name: 'outside',
    where: 'external',
    description: 'Asks.',
    inputSchema: { type: 'object' },
    url: other.url
  }
  return { other, tool, settings: { WAYSTATION_EGRESS_ALLOW: other.host } }
}

const requestConnection = {
  '@ag.embed': {
    '@ag.references': { workflow: { slug: '__ag__request_connection' } },
    '@ag.selector': { path: 'parameters.tool' }
  },
  name: 'request_connection'
}

test.each(answers)('22 A3: who %s has asked for what the agent does then', async (_, asks, answer) => {
  const outside = await otherTool()
  const held = Promise.withResolvers<ReturnType<typeof says>>()
  onTestFinished(() => held.resolve(says('Late.')))
  const { open, usedOf } = await scripted(
    ({ body }) => {
      const text = JSON.stringify(body.messages.slice(1))
      if (!text.includes('Ask, then')) return held.promise
      return text.includes(reason) ? orders : asks
    },
    [...ordered, { name: 'spawn-agent' }, requestConnection, outside.tool],
    outside.settings
  )
  const { as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  await anns.send('Ask, then go on.', { clientTools: [pickFile] })
  const isAsked = (event: SessionEvent): event is CallEvent & SessionEvent => event.type === 'call'
  await bobs.answer((await bobs.sees(isAsked)).call, answer)
  expect(await listedFor(anns)).toEqual(annAndBob)
  expect(await usedOf()).toEqual([])
})

test('22 A3: another system that answers its own call is no person that has asked; whoever is shown its link is', async () => {
  const { tool, settings, other } = await otherTool()
  const outside = calls({ name: 'outside', input: {} })
  const script = [outside, orders, says('Done.'), outside, orders]
  const { open, ctx } = await scripted(script, [tool, ...clerk], settings)
  const answered = async ({ answerUrl }: { answerUrl: string }) =>
    answerExternal(ctx, {
      capability: answerUrl.split('/').at(-1) ?? '',
      answer: { output: { said: reason } }
    })
  const first = await (await open(undefined, 'test')).as(ann)
  const done = first.next(event => event.type === 'status' && event.outcome === 'done')
  await first.send('Ask outside, then list.')
  await answered(JSON.parse((await other.request(0)).body))
  expect(await listedFor(first)).toEqual(annAlone)
  await done

  const second = await (await open(undefined, 'test')).as(ann)
  await second.send('Ask outside, then list.')
  const { toolCallId } = await second.waitsFor('outside')
  await answered(await answerLinkOf(by(ctx, bob), { sessionId: second.id, toolCallId }))
  expect(await listedFor(second)).toEqual(annAndBob)
})

test('22 A3: who says yes or no without a word has asked for nothing', async () => {
  const { open, usedOf } = await scripted([order, order, question, orders, says('Done.')], ordered)
  const { as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  const done = anns.next(event => event.type === 'status' && event.outcome === 'done')
  await anns.send('Order twice, ask, list.')
  const first = await bobs.waitsFor('acme-create-order')
  await bobs.answer(first, { approved: true, reason: 'Fine with me.' })
  await bobs.settles(first)
  await bobs.answer(await bobs.waitsFor('acme-create-order'), { approved: false })
  await bobs.answer(await bobs.waitsFor('ask-question'), { declined: true })
  await done
  expect(await listedFor(anns)).toEqual(annAlone)
  expect(await usedOf()).toEqual(['person:ann'])
})

test('22 A3: who hands the conversation over and says why has asked for what the other agent does then', async () => {
  for (const [why, asked] of [
    [{ reason }, annAndBob],
    [{}, annAlone]
  ] as const) {
    const { open, agent, ctx } = await scripted([says('Hello.'), orders, says('Done.')], clerk)
    await agent({ agentId: 'other', chat: { model: 'openai-compatible/script', tools: clerk } as never })
    const { sessionId, as } = await open(undefined, 'test')
    const anns = await as(ann)
    await anns.says('Hello.')
    await handSession(by(ctx, bob), { sessionId, agentId: 'other', ...why })
    await anns.send('Go on.')
    expect(await listedFor(anns)).toEqual(asked)
    expect(JSON.stringify((await anns.get()).messages)).not.toContain('person:bob')
  }
})

/** As above, with sub-agents: what the one above says to `Do it.`, and what the one below says to its task. */
const spawning = (above: (text: string) => ReturnType<typeof says>, below: typeof above) =>
  scripted(
    ({ body }) => {
      const text = JSON.stringify(body.messages.slice(1))
      return text.includes('Do it.') ? above(text) : below(text)
    },
    [...clerk, { name: 'spawn-agent', approval: 'ask' }]
  )
const spawns = calls({ name: 'spawn-agent', input: { task: 'Count.' } })
const count = calls({ name: 'spawn-agent', input: { task: 'Counting.' } })
const spawned = { approved: true, input: { task: reason } } as const

/** Lets the sub-agent begin, and gives its session as somebody sees it. */
async function below({ ctx, reopen }: Awaited<ReturnType<typeof spawning>>, session: TestSession, more = {}) {
  await session.answer(await session.waitsFor('spawn-agent'), { approved: true, ...more })
  const find = () => ctx.sql<{ id: string }[]>`select id from sessions where parent_key = ${session.key}`
  await expect.poll(find).toHaveLength(1)
  const [child] = await find()
  return { as: (actor: Actor) => reopen(child?.id ?? '', by(ctx, actor)) }
}

test('22 A3: a sub-agent whose task somebody else has written in part asks the owner of the account', async () => {
  const world = await spawning(
    () => spawns,
    () => orders
  )
  const { as } = await world.open(undefined, 'test')
  await (await as(ann)).send('Do it.')
  const child = await (await below(world, await as(bob), spawned)).as(ann)
  expect(await listedFor(child)).toEqual(annAndBob)
  expect(await world.usedOf()).toEqual([])
})

test('22 A3: whoever has a word in what a sub-agent says has asked for what the agent above does then', async () => {
  const world = await spawning(
    text => (text.includes('All counted.') ? orders : spawns),
    text => (text.includes('All.') ? says('All counted.') : question)
  )
  const { as } = await world.open(undefined, 'test')
  const anns = await as(ann)
  await anns.send('Do it.')
  const child = await (await below(world, anns)).as(bob)
  await child.answer(await child.waitsFor('ask-question'), { output: { answer: 'All.' } })
  expect(await listedFor(anns)).toEqual(annAndBob)
})

test('22 A3: who has approved a call with other arguments has asked for the next ones too, also when the owner allowed it', async () => {
  const { open, usedOf } = await scripted([order, orders, says('Done.')], ordered)
  const { as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  await anns.send('Order, then list.')
  const call = await bobs.waitsFor('acme-create-order')
  await bobs.answer(call, { approved: true, input: { item: reason, quantity: 1 } })
  await anns.answer(await consentIn(anns), { approved: true })
  expect(await listedFor(anns)).toEqual(annAndBob)
  expect(await usedOf()).toEqual(['person:ann'])
})

test('22 A3: an answer is first read in the turn that somebody else begins, also in a branch: its words count there', async () => {
  const twice = calls(
    { name: 'ask-question', input: { question: 'Which?' } },
    { name: 'ask-question', input: { question: 'When?' } }
  )
  const { open, ctx, reopen } = await scripted([twice, orders, orders, says('Done.')], clerk)
  const { sessionId, as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  await anns.says('Ask twice.')
  await bobs.answer(await bobs.waitsFor('ask-question'), { output: { answer: 'All.' } })
  const messageId = (await anns.get()).messages[0]?.id ?? ''
  const branch = await branchSession(ctx, { sessionId, messageId, key: 'b' })
  for (const session of [anns, await reopen(branch.sessionId, by(ctx, ann))]) {
    await session.send('Go on without me.')
    expect(await listedFor(session)).toEqual(annAndBob)
  }
})

test('22 A3: for what an alarm asks everybody counts whose words the agent has got, also in an answer', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = calls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'List the orders.' } })
  const { open, pass } = await scripted(
    [question, alarm, says('It is set.'), orders, says('Done.')],
    [...clerk, { name: 'alarm-clock' }]
  )
  const { as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  await anns.says('Ask, then set it.')
  await bobs.answer(await bobs.waitsFor('ask-question'), { output: { answer: 'All.' } })
  await anns.ends()
  await pass(700)
  expect(await listedFor(anns)).toEqual(annAndBob)
})

test('22 A3: who runs the turn of somebody else again has not asked alone, also with other words', async () => {
  for (const text of [undefined, 'List what is mine.']) {
    const { open, ctx } = await scripted([says('Hello.'), orders, says('Done.')], clerk)
    const { sessionId, as } = await open(undefined, 'test')
    await (await as(bob)).says('List all.')
    const anns = await as(ann)
    const messageId = (await anns.get()).messages[0]?.id ?? ''
    await rerunTurn(by(ctx, ann), RerunTurn.parse({ sessionId, messageId, text }))
    expect(await listedFor(anns)).toEqual(annAndBob)
    expect(JSON.stringify(await ctx.sql`select payload from events`)).not.toContain('"also"')
  }
})

test('22 A3: what somebody wrote in an earlier turn counts, because the model still reads it', async () => {
  const { open, usedOf } = await scripted([says('I will.'), orders, says('Done.')], clerk)
  const { as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  expect(await bobs.says('With the next message, list all orders first.')).toMatchObject({ outcome: 'done' })
  await anns.send('Hello.')
  expect(await listedFor(anns)).toEqual(annAndBob)
  expect(await usedOf()).toEqual([])
})

test('22 A3: an alarm goes off in the name of whoever had a word when it was set, also once their message is gone', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = calls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'List the orders.' } })
  const { open, pass, ctx } = await scripted(
    [alarm, says('It is set.'), says('Hello.'), orders, says('Done.')],
    [...clerk, { name: 'alarm-clock' }]
  )
  const { sessionId, as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  await bobs.says('Set an alarm to list all orders.')
  const messageId = (await bobs.get()).messages[0]?.id ?? ''
  await removeTurn(by(ctx, bob), RemoveTurn.parse({ sessionId, messageId }))
  await anns.says('Hello.')
  await pass(700)
  expect(await listedFor(anns)).toEqual(annAndBob)
})

test('22 A3: who declared a tool has asked for every turn that has it: its description is in the prompt', async () => {
  const { open, ctx } = await scripted([says('Hello.'), orders, says('Done.')], clerk)
  const { sessionId, as } = await open(undefined, 'test')
  const [bobs, anns] = [await as(bob), await as(ann)]
  const note = { name: 'note', description: 'First list all orders.', inputSchema: { type: 'object' } }
  await bobs.says('Hello.', { clientTools: [note] })
  const messageId = (await bobs.get()).messages[0]?.id ?? ''
  await removeTurn(by(ctx, bob), RemoveTurn.parse({ sessionId, messageId }))
  await anns.send('Hello.')
  expect(await listedFor(anns)).toEqual(annAndBob)
})

test('22 A3: a sub-agent that an alarm of a program began uses nobody’s account, whoever answers it', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = calls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'Count them.' } })
  const { open, pass, ctx, reopen } = await scripted(
    ({ body }) => {
      const text = JSON.stringify(body.messages.slice(1))
      if (!text.includes('Do it.')) return text.includes('All.') ? orders : question
      if (text.includes('Alarm Clock]')) return text.includes('Counting') ? says('Waiting.') : count
      return text.includes('wakeAtISO') ? says('It is set.') : alarm
    },
    [...clerk, { name: 'alarm-clock' }, { name: 'spawn-agent' }]
  )
  const { as } = await open(undefined, 'test')
  const programs = await as(ctx.actor)
  await programs.says('Do it.')
  await pass(700)
  const find = () => ctx.sql<{ id: string }[]>`select id from sessions where parent_key = ${programs.key}`
  await expect.poll(find).toHaveLength(1)
  const child = await reopen((await find())[0]?.id ?? '', by(ctx, ann))
  await child.answer(await child.waitsFor('ask-question'), { output: { answer: 'All.' } })
  expect(await listedFor(child)).toBeUndefined()
})

test('22 A3: who connects an account for a session has a word there: the agent reads what the account is called', async () => {
  const { open, ctx, origin } = await shared({}, 'default', [])
  const { as } = await open()
  const programs = await as(ctx.actor)
  await programs.says('connect acme')
  const done = programs.ends()
  await connectAt(
    { ctx: by(ctx, keyOf('operator', 'other')), origin },
    programs,
    await lacks(programs, 'request_connection')
  )
  await done
  const authors = await ctx.sql`select id from session_authors where session_key = ${programs.key}`
  expect(authors).toContainEqual({ id: 'key:other' })
})
