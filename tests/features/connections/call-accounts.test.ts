import type { ServerResponse } from 'node:http'
import type { Answer } from '@waystation/protocol/call/call.ts'
import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { CallEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import { RemoveTurn, RerunTurn } from '@waystation/protocol/session/turn-action.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { handOffSession } from '#lib/features/delegation/hand-off-session.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { answerExternal } from '#lib/features/webhooks/answer-links/answer-external.ts'
import { answerLinkOf } from '#lib/features/webhooks/answer-links/answer-link-of.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { removeTurn } from '#lib/sessions/history/remove-turn.ts'
import { rerunTurn } from '#lib/sessions/history/rerun-turn.ts'
import { connectAt, lacks, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { startOtherSystem } from '#tests/support/fakes/external-system.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { type ModelScript, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { by, eveIn, keyOf, person } from '#tests/support/servers/actors.ts'
import type { TestSession } from '#tests/support/servers/test-server.ts'

const [ann, bob] = [person('ann'), person('bob')]
/** Returns a world in which each owner has their own account at Acme: Ann, Bob and Eve by default. */
async function worldWithAccounts(
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
  /** Creates a session of the clerk, and returns it as each actor sees it. */
  const open = async (subject?: string, agentId = 'acme-clerk') => {
    const sessionInput = { agentId, ...(subject === undefined ? {} : { subject }) }
    const { sessionId } = await createSession(world.ctx, sessionInput)
    return { sessionId, as: (actor: Actor) => world.reopen(sessionId, by(world.ctx, actor)) }
  }
  const usedOf = async () =>
    (
      await world.ctx.sql`select distinct owner from connections join connection_uses on id = connection_id`
    ).map(({ owner }) => owner)
  return { ...world, open, usedOf }
}

const orderCommand = 'use acme-create-order {"item": "tea", "quantity": 1}'
const listing = 'use acme-list-orders {}'

test('22 A3: the account of a call is fixed and shown when the call opens; later messages of other users do not change it', async () => {
  const { open, usedOf } = await worldWithAccounts()
  const { as } = await open()
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await bobSession.says(orderCommand)
  const call = await bobSession.waitsFor('acme-create-order')
  expect(call.accountOf).toEqual({ id: 'person:bob', name: 'bob' })
  await annSession.says('Thanks.')
  await bobSession.answer(call, { approved: true })
  await expect.poll(usedOf).toEqual(['person:bob'])
})

test('22 A3: if several users asked for a turn, its call first asks the owner of the account, and only the owner can answer', async () => {
  const deferred = Promise.withResolvers<ServerResponse>()
  const externalServer = await startOtherSystem(deferred.resolve)
  const { open, usedOf, ctx, agent } = await worldWithAccounts({
    WAYSTATION_EGRESS_ALLOW: externalServer.host
  })
  await agent({ chat: { tools: [{ name: 'web-fetch' }, { name: 'acme-list-orders' }] } })
  const { sessionId, as } = await open(undefined, 'test')
  const bobSession = await as(bob)
  await bobSession.send(`use web-fetch {"url": "${externalServer.url}/slow"}`)
  const response = await deferred.promise
  await (await as(ann)).send(listing, { whenBusy: 'steer' })
  response.end('It is there.')
  const isApproval = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.kind === 'approval'
  const { call } = await bobSession.sees(isApproval)
  expect(call).toMatchObject({
    accountOf: { id: 'person:ann', name: 'ann', others: ['bob'] },
    answerers: { people: [{ id: 'person:ann' }], links: false }
  })
  for (const actor of [bob, ctx.actor, eveIn(sessionId)])
    await expect(bobSession.answer(call, { approved: true }, by(ctx, actor))).rejects.toMatchObject({
      code: 'FORBIDDEN'
    })
  expect(await usedOf()).toEqual([])
  await bobSession.answer(call, { approved: true }, by(ctx, ann))
  await expect.poll(usedOf).toEqual(['person:ann'])
})

test('22 A3: if the owner of an account denies a call, it does not use the account, and the agent is informed', async () => {
  const { open, usedOf, ctx } = await worldWithAccounts()
  const { as } = await open('eve')
  const bobSession = await as(bob)
  await bobSession.says(listing)
  const call = await bobSession.waitsFor('acme-list-orders')
  const done = bobSession.ends()
  await bobSession.answer(call, { approved: false, reason: 'Mine.' }, by(ctx, eveIn(bobSession.id)))
  await done
  expect(await bobSession.settles(call)).toMatchObject({ state: 'denied', reason: 'Mine.' })
  expect(await usedOf()).toEqual([])
})

test('22 A3: an operator’s message in an end user’s session uses that user’s account only after the user approves', async () => {
  const { open, usedOf, ctx } = await worldWithAccounts()
  const { sessionId, as } = await open('eve')
  const bobSession = await as(bob)
  await bobSession.says(listing)
  const call = await bobSession.waitsFor('acme-list-orders')
  expect(call.accountOf).toEqual({ id: 'subject:eve', name: 'eve', others: ['bob'] })
  await expect(bobSession.answer(call, { approved: true })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await bobSession.answer(call, { approved: true }, by(ctx, eveIn(sessionId)))
  await expect.poll(usedOf).toEqual(['subject:eve'])
})

test('22 A3: messages of an end user, and of an editor’s key on their behalf, use the user’s account without an approval', async () => {
  const { open, usedOf, ctx } = await worldWithAccounts()
  const { key } = await createKey(ctx, { name: 'Product', role: 'editor' })
  const product = keyOf('editor', key.id)
  for (const speaker of [eveIn, () => product]) {
    await ctx.sql`delete from connection_uses`
    const { sessionId, as } = await open('eve')
    expect(await (await as(speaker(sessionId))).says(listing)).toMatchObject({ outcome: 'done' })
    expect(await usedOf()).toEqual(['subject:eve'])
  }
})

test('22 A3: a user who sends an out-of-band message becomes an asker of the turn', async () => {
  const { open, ctx } = await worldWithAccounts()
  const { sessionId, as } = await open()
  await sendOutOfBand(by(ctx, ann), SendOob.parse({ sessionId, content: 'Look at the orders.' }))
  const bobSession = await as(bob)
  await bobSession.says(listing)
  expect((await bobSession.waitsFor('acme-list-orders')).accountOf).toEqual({
    id: 'person:bob',
    name: 'bob',
    others: ['ann']
  })
})

test('22 A3: a program that writes has no account of its own, and uses none of a user', async () => {
  const { open, usedOf, ctx } = await worldWithAccounts()
  const { as } = await open()
  const programSession = await as(ctx.actor)
  await programSession.says(listing)
  expect(await lacks(programSession, 'acme-list-orders')).not.toHaveProperty('accountOf')
  expect(await usedOf()).toEqual([])
})

/** Returns the same with Ann’s account only, and an agent `test` whose model plays a script. */
async function scriptedWorld(script: ModelScript, tools: object[], settings: Record<string, string> = {}) {
  const model = await startOpenAIServer({ script })
  onTestFinished(() => model.close())
  const world = await worldWithAccounts({ OPENAI_BASE_URL: model.url, ...settings }, 'demo/demo', [
    'person:ann'
  ])
  await world.agent({ chat: { model: 'openai-compatible/script', tools } as never })
  return { ...world, model }
}

/** Waits until a call asks the owner of an account for approval, and returns it. */
async function consentCallIn(session: TestSession) {
  const isConsent = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.kind === 'approval' && event.call.accountOf?.others !== undefined
  return (await session.sees(isConsent)).call
}

const question = calls({ name: 'ask-question', input: { question: 'Which?' } })
const orders = calls({ name: 'acme-list-orders', input: {} })
const clerk = [{ name: 'ask-question' }, { name: 'acme-list-orders' }]

test('22 A3: a sub-agent works for the same users as its parent, and for no single user if several contributed', async () => {
  const { open, usedOf, ctx } = await scriptedWorld(
    ({ body }) => {
      const text = JSON.stringify(body.messages)
      if (text.includes('List them.')) return text.includes('Have') ? says('Waiting.') : orders
      return calls({ name: 'spawn-agent', input: { task: 'List them.' } })
    },
    [{ name: 'spawn-agent' }, { name: 'acme-list-orders' }]
  )
  const { as } = await open('eve', 'test')
  await (await as(bob)).send('Have the orders listed.')
  const callAccounts = () =>
    ctx.sql`select kind, account_of as account from calls where tool_name = 'acme-list-orders'`
  const account = { id: 'subject:eve', name: 'eve', others: ['bob'] }
  await expect.poll(callAccounts).toEqual([{ kind: 'connection', account }])
  expect(await usedOf()).toEqual([])
})

test('22 A3: a turn that a late answer starts still belongs to its original askers, even if others have written since', async () => {
  const { open, usedOf } = await scriptedWorld([question, says('Hello Ann.'), orders], clerk)
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await bobSession.says('Ask me, then list the orders.')
  const questionCall = await bobSession.waitsFor('ask-question')
  await annSession.says('Hello.')
  await bobSession.answer(questionCall, { output: { answer: 'All.' } })
  expect((await bobSession.waitsFor('acme-list-orders')).accountOf).toEqual({
    id: 'person:ann',
    name: 'ann',
    others: ['bob']
  })
  expect(await usedOf()).toEqual([])
})

test('22 A3: a user who answers an agent’s question becomes an asker of the following calls', async () => {
  const { open, usedOf } = await scriptedWorld([question, orders, says('Done.')], clerk)
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.says('Ask, then list.')
  await bobSession.answer(await bobSession.waitsFor('ask-question'), { output: { answer: 'All.' } })
  const call = await consentCallIn(annSession)
  expect(call.accountOf).toEqual({ id: 'person:ann', name: 'ann', others: ['bob'] })
  await annSession.answer(call, { approved: true })
  await expect.poll(usedOf).toEqual(['person:ann'])
})

test('22 A3: a user who approves a call with edited arguments becomes an asker, so the owner of the account must approve', async () => {
  const { open, usedOf } = await worldWithAccounts()
  const { as } = await open()
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.says(orderCommand)
  const call = await annSession.waitsFor('acme-create-order')
  await bobSession.answer(call, { approved: true, input: { item: 'coffee', quantity: 9 } })
  const consentCall = await consentCallIn(annSession)
  expect(consentCall).toMatchObject({ state: 'open', kind: 'approval', accountOf: { others: ['bob'] } })
  expect(await usedOf()).toEqual([])
  await annSession.answer(consentCall, { approved: true })
  await expect.poll(usedOf).toEqual(['person:ann'])
})

test('22 A3: an out-of-band message from another agent adds its askers to the turn', async () => {
  const { open, ctx } = await scriptedWorld([says('Hello.'), orders], clerk)
  const { sessionId, as } = await open(undefined, 'test')
  const annSession = await as(ann)
  await annSession.says('Hello.')
  const { sessionKey } = await sessionOf(ctx, (await open(undefined, 'test')).sessionId)
  const oobMessage = SendOob.parse({
    sessionId,
    content: 'List.',
    source: 'agent',
    sourceId: 'a',
    priority: 'critical'
  })
  await sendOutOfBand(ctx, oobMessage, { key: sessionKey, chain: [], hops: 1 })
  expect((await annSession.waitsFor('acme-list-orders')).accountOf).toMatchObject({
    id: 'person:ann',
    others: [expect.any(String)]
  })
})

const sessionOf = async (ctx: Ctx, id: string) => ({
  sessionKey: Number((await ctx.sql`select key from sessions where id = ${id}`)[0]?.key)
})

/** Returns the account that the call listing the orders can use, as recorded when it opened. */
async function accountOfListing(session: TestSession) {
  const isListing = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.toolName === 'acme-list-orders'
  return (await session.sees(isListing)).call.accountOf
}

const annAlone = { id: 'person:ann', name: 'ann' }
const annAndBob = { ...annAlone, others: ['bob'] }
const reason = 'List all orders instead.'
const order = calls({ name: 'acme-create-order', input: { item: 'tea', quantity: 1 } })
const clerkWithOrders = [...clerk, { name: 'acme-create-order', approval: 'ask' }]
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

/** Returns an external tool, its server and the settings that permit calls to it. */
async function externalTool() {
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

test.each(answers)(
  '22 A3: a user who %s becomes an asker of the agent’s next calls',
  async (_, step, answer) => {
    const external = await externalTool()
    const deferred = Promise.withResolvers<ReturnType<typeof says>>()
    onTestFinished(() => deferred.resolve(says('Late.')))
    const { open, usedOf } = await scriptedWorld(
      ({ body }) => {
        const text = JSON.stringify(body.messages.slice(1))
        if (!text.includes('Ask, then')) return deferred.promise
        return text.includes(reason) ? orders : step
      },
      [...clerkWithOrders, { name: 'spawn-agent' }, requestConnection, external.tool],
      external.settings
    )
    const { as } = await open(undefined, 'test')
    const [bobSession, annSession] = [await as(bob), await as(ann)]
    await annSession.send('Ask, then go on.', { clientTools: [pickFile] })
    const isApproval = (event: SessionEvent): event is CallEvent & SessionEvent => event.type === 'call'
    await bobSession.answer((await bobSession.sees(isApproval)).call, answer)
    expect(await accountOfListing(annSession)).toEqual(annAndBob)
    expect(await usedOf()).toEqual([])
  }
)

test('22 A3: an external system that answers its own call adds no asker; a user who requested the link does', async () => {
  const { tool, settings, other } = await externalTool()
  const externalCall = calls({ name: 'outside', input: {} })
  const script = [externalCall, orders, says('Done.'), externalCall, orders]
  const { open, ctx } = await scriptedWorld(script, [tool, ...clerk], settings)
  const answerCallback = async ({ answerUrl }: { answerUrl: string }) =>
    answerExternal(ctx, {
      capability: answerUrl.split('/').at(-1) ?? '',
      answer: { output: { said: reason } }
    })
  const first = await (await open(undefined, 'test')).as(ann)
  const done = first.next(event => event.type === 'status' && event.outcome === 'done')
  await first.send('Ask outside, then list.')
  await answerCallback(JSON.parse((await other.request(0)).body))
  expect(await accountOfListing(first)).toEqual(annAlone)
  await done

  const second = await (await open(undefined, 'test')).as(ann)
  await second.send('Ask outside, then list.')
  const { toolCallId } = await second.waitsFor('outside')
  await answerCallback(await answerLinkOf(by(ctx, bob), { sessionId: second.id, toolCallId }))
  expect(await accountOfListing(second)).toEqual(annAndBob)
})

test('22 A3: approving or denying a call without other input adds no asker', async () => {
  const { open, usedOf } = await scriptedWorld(
    [order, order, question, orders, says('Done.')],
    clerkWithOrders
  )
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  const done = annSession.next(event => event.type === 'status' && event.outcome === 'done')
  await annSession.send('Order twice, ask, list.')
  const first = await bobSession.waitsFor('acme-create-order')
  await bobSession.answer(first, { approved: true, reason: 'Fine with me.' })
  await bobSession.settles(first)
  await bobSession.answer(await bobSession.waitsFor('acme-create-order'), { approved: false })
  await bobSession.answer(await bobSession.waitsFor('ask-question'), { declined: true })
  await done
  expect(await accountOfListing(annSession)).toEqual(annAlone)
  expect(await usedOf()).toEqual(['person:ann'])
})

test('22 A3: a user who hands a conversation over with a reason becomes an asker of the next agent’s calls', async () => {
  for (const [input, expectedAccount] of [
    [{ reason }, annAndBob],
    [{}, annAlone]
  ] as const) {
    const { open, agent, ctx } = await scriptedWorld([says('Hello.'), orders, says('Done.')], clerk)
    await agent({ agentId: 'other', chat: { model: 'openai-compatible/script', tools: clerk } as never })
    const { sessionId, as } = await open(undefined, 'test')
    const annSession = await as(ann)
    await annSession.says('Hello.')
    await handOffSession(by(ctx, bob), { sessionId, agentId: 'other', ...input })
    await annSession.send('Go on.')
    expect(await accountOfListing(annSession)).toEqual(expectedAccount)
    expect(JSON.stringify((await annSession.get()).messages)).not.toContain('person:bob')
  }
})

/**
 * Returns such a world with sub-agents: `above` replies to `Do it.`, and `below` to the task of the sub-agent.
 */
const worldWithSubAgents = (above: (text: string) => ReturnType<typeof says>, below: typeof above) =>
  scriptedWorld(
    ({ body }) => {
      const text = JSON.stringify(body.messages.slice(1))
      return text.includes('Do it.') ? above(text) : below(text)
    },
    [...clerk, { name: 'spawn-agent', approval: 'ask' }]
  )
const spawnCall = calls({ name: 'spawn-agent', input: { task: 'Count.' } })
const count = calls({ name: 'spawn-agent', input: { task: 'Counting.' } })
const approvalWithTask = { approved: true, input: { task: reason } } as const

/** Approves the sub-agent, and returns its session as an actor sees it. */
async function childOf(
  { ctx, reopen }: Awaited<ReturnType<typeof worldWithSubAgents>>,
  session: TestSession,
  extra = {}
) {
  await session.answer(await session.waitsFor('spawn-agent'), { approved: true, ...extra })
  const find = () => ctx.sql<{ id: string }[]>`select id from sessions where parent_key = ${session.key}`
  await expect.poll(find).toHaveLength(1)
  const [child] = await find()
  return { as: (actor: Actor) => reopen(child?.id ?? '', by(ctx, actor)) }
}

test('22 A3: a sub-agent whose task was edited by another user needs the approval of the account’s owner', async () => {
  const world = await worldWithSubAgents(
    () => spawnCall,
    () => orders
  )
  const { as } = await world.open(undefined, 'test')
  await (await as(ann)).send('Do it.')
  const child = await (await childOf(world, await as(bob), approvalWithTask)).as(ann)
  expect(await accountOfListing(child)).toEqual(annAndBob)
  expect(await world.usedOf()).toEqual([])
})

test('22 A3: a user who influences a sub-agent’s result becomes an asker of its parent’s calls', async () => {
  const world = await worldWithSubAgents(
    text => (text.includes('All counted.') ? orders : spawnCall),
    text => (text.includes('All.') ? says('All counted.') : question)
  )
  const { as } = await world.open(undefined, 'test')
  const annSession = await as(ann)
  await annSession.send('Do it.')
  const child = await (await childOf(world, annSession)).as(bob)
  await child.answer(await child.waitsFor('ask-question'), { output: { answer: 'All.' } })
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
})

test('22 A3: a user who edited an approved call stays an asker of later calls, even if the owner approved that call', async () => {
  const { open, usedOf } = await scriptedWorld([order, orders, says('Done.')], clerkWithOrders)
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.send('Order, then list.')
  const call = await bobSession.waitsFor('acme-create-order')
  await bobSession.answer(call, { approved: true, input: { item: reason, quantity: 1 } })
  await annSession.answer(await consentCallIn(annSession), { approved: true })
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
  expect(await usedOf()).toEqual(['person:ann'])
})

test('22 A3: an answer that is first read in another user’s turn adds its author as an asker, even in a branch', async () => {
  const twoQuestions = calls(
    { name: 'ask-question', input: { question: 'Which?' } },
    { name: 'ask-question', input: { question: 'When?' } }
  )
  const { open, ctx, reopen } = await scriptedWorld([twoQuestions, orders, orders, says('Done.')], clerk)
  const { sessionId, as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.says('Ask twice.')
  await bobSession.answer(await bobSession.waitsFor('ask-question'), { output: { answer: 'All.' } })
  const messageId = (await annSession.get()).messages[0]?.id ?? ''
  const branch = await branchSession(ctx, { sessionId, messageId, key: 'b' })
  for (const session of [annSession, await reopen(branch.sessionId, by(ctx, ann))]) {
    await session.send('Go on without me.')
    expect(await accountOfListing(session)).toEqual(annAndBob)
  }
})

test('22 A3: an alarm has every user as an asker whose input the agent received, including answers', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = calls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'List the orders.' } })
  const { open, pass } = await scriptedWorld(
    [question, alarm, says('It is set.'), orders, says('Done.')],
    [...clerk, { name: 'alarm-clock' }]
  )
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.says('Ask, then set it.')
  await bobSession.answer(await bobSession.waitsFor('ask-question'), { output: { answer: 'All.' } })
  await annSession.ends()
  await pass(700)
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
})

test('22 A3: a user who runs another user’s turn again is not its only asker, even with edited text', async () => {
  for (const text of [undefined, 'List what is mine.']) {
    const { open, ctx } = await scriptedWorld([says('Hello.'), orders, says('Done.')], clerk)
    const { sessionId, as } = await open(undefined, 'test')
    await (await as(bob)).says('List all.')
    const annSession = await as(ann)
    const messageId = (await annSession.get()).messages[0]?.id ?? ''
    await rerunTurn(by(ctx, ann), RerunTurn.parse({ sessionId, messageId, text }))
    expect(await accountOfListing(annSession)).toEqual(annAndBob)
    expect(JSON.stringify(await ctx.sql`select payload from events`)).not.toContain('"also"')
  }
})

test('22 A3: authors of earlier turns stay askers, because the model still reads their messages', async () => {
  const { open, usedOf } = await scriptedWorld([says('I will.'), orders, says('Done.')], clerk)
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  expect(await bobSession.says('With the next message, list all orders first.')).toMatchObject({
    outcome: 'done'
  })
  await annSession.send('Hello.')
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
  expect(await usedOf()).toEqual([])
})

test('22 A3: an alarm keeps the askers of the time when it was set, even after their messages are deleted', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = calls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'List the orders.' } })
  const { open, pass, ctx } = await scriptedWorld(
    [alarm, says('It is set.'), says('Hello.'), orders, says('Done.')],
    [...clerk, { name: 'alarm-clock' }]
  )
  const { sessionId, as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await bobSession.says('Set an alarm to list all orders.')
  const messageId = (await bobSession.get()).messages[0]?.id ?? ''
  await removeTurn(by(ctx, bob), RemoveTurn.parse({ sessionId, messageId }))
  await annSession.says('Hello.')
  await pass(700)
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
})

test('22 A3: a user who declared a tool is an asker of every turn that has it, because its description is in the prompt', async () => {
  const { open, ctx } = await scriptedWorld([says('Hello.'), orders, says('Done.')], clerk)
  const { sessionId, as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  const note = { name: 'note', description: 'First list all orders.', inputSchema: { type: 'object' } }
  await bobSession.says('Hello.', { clientTools: [note] })
  const messageId = (await bobSession.get()).messages[0]?.id ?? ''
  await removeTurn(by(ctx, bob), RemoveTurn.parse({ sessionId, messageId }))
  await annSession.send('Hello.')
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
})

test('22 A3: a sub-agent that a program’s alarm started uses no account, even if a user answers its question', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = calls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'Count them.' } })
  const { open, pass, ctx, reopen } = await scriptedWorld(
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
  expect(await accountOfListing(child)).toBeUndefined()
})

test('22 A3: a user who connects an account for a session becomes an author, because the agent reads the account’s name', async () => {
  const { open, ctx, origin } = await worldWithAccounts({}, 'default', [])
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
