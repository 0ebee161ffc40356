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
import { connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { type ModelScript, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { by, eveIn, keyOf, person } from '#tests/support/servers/actors.ts'
import type { TestSession } from '#tests/support/servers/test-server.ts'

const [ann, bob] = [person('ann'), person('bob')]
/** Returns a server in which each owner has their own account at Acme: Ann, Bob and Eve by default. */
async function startServerWithAccounts(
  settings: Record<string, string> = {},
  clerk = 'default',
  owners = ['person:ann', 'person:bob', 'subject:eve']
) {
  const server = await withAcme(settings)
  await server.ctx.sql`
    update agents set config = jsonb_set(config, '{chat,model}', to_jsonb(${clerk}::text)) where id = 'acme-clerk'`
  for (const owner of owners) {
    const { sessionId } = await createSession(server.ctx, { agentId: 'acme-clerk' })
    const session = await server.reopenSession(sessionId)
    await session.runTurn('connect acme')
    const done = session.waitForEnd()
    await connectAt(server, session, await waitForConnectionCall(session, 'request_connection'))
    await done
    await server.ctx.sql`
      update connections set sharing = 'user', owner = ${owner}, owner_name = ${owner} where sharing = 'session'`
  }
  await server.ctx.sql`delete from connection_uses`
  /** Creates a session of the clerk, and returns it as each actor sees it. */
  const open = async (subject?: string, agentId = 'acme-clerk') => {
    const sessionInput = { agentId, ...(subject === undefined ? {} : { subject }) }
    const { sessionId } = await createSession(server.ctx, sessionInput)
    return { sessionId, as: (actor: Actor) => server.reopenSession(sessionId, by(server.ctx, actor)) }
  }
  const usedOf = async () =>
    (
      await server.ctx.sql`select distinct owner from connections join connection_uses on id = connection_id`
    ).map(({ owner }) => owner)
  return { ...server, open, usedOf }
}

const orderCommand = 'use acme-create-order {"item": "tea", "quantity": 1}'
const listing = 'use acme-list-orders {}'

test('22 A3: the account of a call is fixed and shown when the call opens; later messages of other users do not change it', async () => {
  const { open, usedOf } = await startServerWithAccounts()
  const { as } = await open()
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await bobSession.runTurn(orderCommand)
  const call = await bobSession.waitForCall('acme-create-order')
  expect(call.accountOf).toEqual({ id: 'person:bob', name: 'bob' })
  await annSession.runTurn('Thanks.')
  await bobSession.answer(call, { approved: true })
  await expect.poll(usedOf).toEqual(['person:bob'])
})

test('22 A3: if several users asked for a turn, its call first asks the owner of the account, and only the owner can answer', async () => {
  const deferred = Promise.withResolvers<ServerResponse>()
  const externalServer = await startExternalSystem(deferred.resolve)
  const { open, usedOf, ctx, saveAgent } = await startServerWithAccounts({
    WAYSTATION_EGRESS_ALLOW: externalServer.host
  })
  await saveAgent({ chat: { tools: [{ name: 'web-fetch' }, { name: 'acme-list-orders' }] } })
  const { sessionId, as } = await open(undefined, 'test')
  const bobSession = await as(bob)
  await bobSession.send(`use web-fetch {"url": "${externalServer.url}/slow"}`)
  const response = await deferred.promise
  await (await as(ann)).send(listing, { whenBusy: 'steer' })
  response.end('It is there.')
  const isApproval = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.kind === 'approval'
  const { call } = await bobSession.waitForEvent(isApproval)
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
  const { open, usedOf, ctx } = await startServerWithAccounts()
  const { as } = await open('eve')
  const bobSession = await as(bob)
  await bobSession.runTurn(listing)
  const call = await bobSession.waitForCall('acme-list-orders')
  const done = bobSession.waitForEnd()
  await bobSession.answer(call, { approved: false, reason: 'Mine.' }, by(ctx, eveIn(bobSession.id)))
  await done
  expect(await bobSession.waitForSettled(call)).toMatchObject({ state: 'denied', reason: 'Mine.' })
  expect(await usedOf()).toEqual([])
})

test('22 A3: an operator’s message in an end user’s session uses that user’s account only after the user approves', async () => {
  const { open, usedOf, ctx } = await startServerWithAccounts()
  const { sessionId, as } = await open('eve')
  const bobSession = await as(bob)
  await bobSession.runTurn(listing)
  const call = await bobSession.waitForCall('acme-list-orders')
  expect(call.accountOf).toEqual({ id: 'subject:eve', name: 'eve', others: ['bob'] })
  await expect(bobSession.answer(call, { approved: true })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await bobSession.answer(call, { approved: true }, by(ctx, eveIn(sessionId)))
  await expect.poll(usedOf).toEqual(['subject:eve'])
})

test('22 A3: messages of an end user, and of an editor’s key on their behalf, use the user’s account without an approval', async () => {
  const { open, usedOf, ctx } = await startServerWithAccounts()
  const { key } = await createKey(ctx, { name: 'Product', role: 'editor' })
  const product = keyOf('editor', key.id)
  for (const speaker of [eveIn, () => product]) {
    await ctx.sql`delete from connection_uses`
    const { sessionId, as } = await open('eve')
    expect(await (await as(speaker(sessionId))).runTurn(listing)).toMatchObject({ outcome: 'done' })
    expect(await usedOf()).toEqual(['subject:eve'])
  }
})

test('22 A3: a user who sends an out-of-band message becomes an asker of the turn', async () => {
  const { open, ctx } = await startServerWithAccounts()
  const { sessionId, as } = await open()
  await sendOutOfBand(by(ctx, ann), SendOob.parse({ sessionId, content: 'Look at the orders.' }))
  const bobSession = await as(bob)
  await bobSession.runTurn(listing)
  expect((await bobSession.waitForCall('acme-list-orders')).accountOf).toEqual({
    id: 'person:bob',
    name: 'bob',
    others: ['ann']
  })
})

test('22 A3: a program that writes has no account of its own, and uses none of a user', async () => {
  const { open, usedOf, ctx } = await startServerWithAccounts()
  const { as } = await open()
  const programSession = await as(ctx.actor)
  await programSession.runTurn(listing)
  expect(await waitForConnectionCall(programSession, 'acme-list-orders')).not.toHaveProperty('accountOf')
  expect(await usedOf()).toEqual([])
})

/** Returns the same with Ann’s account only, and an agent `test` whose model plays a script. */
async function startScriptedServer(
  script: ModelScript,
  tools: object[],
  settings: Record<string, string> = {}
) {
  const model = await startOpenAIServer({ script })
  onTestFinished(() => model.close())
  const server = await startServerWithAccounts({ OPENAI_BASE_URL: model.url, ...settings }, 'demo/demo', [
    'person:ann'
  ])
  await server.saveAgent({ chat: { model: 'openai-compatible/script', tools } as never })
  return { ...server, model }
}

/** Waits until a call asks the owner of an account for approval, and returns it. */
async function consentCallIn(session: TestSession) {
  const isConsent = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.kind === 'approval' && event.call.accountOf?.others !== undefined
  return (await session.waitForEvent(isConsent)).call
}

const question = replyCalls({ name: 'ask-question', input: { question: 'Which?' } })
const orders = replyCalls({ name: 'acme-list-orders', input: {} })
const clerk = [{ name: 'ask-question' }, { name: 'acme-list-orders' }]

test('22 A3: a sub-agent works for the same users as its parent, and for no single user if several contributed', async () => {
  const { open, usedOf, ctx } = await startScriptedServer(
    ({ body }) => {
      const text = JSON.stringify(body.messages)
      if (text.includes('List them.')) return text.includes('Have') ? replyText('Waiting.') : orders
      return replyCalls({ name: 'spawn-agent', input: { task: 'List them.' } })
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
  const { open, usedOf } = await startScriptedServer([question, replyText('Hello Ann.'), orders], clerk)
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await bobSession.runTurn('Ask me, then list the orders.')
  const questionCall = await bobSession.waitForCall('ask-question')
  await annSession.runTurn('Hello.')
  await bobSession.answer(questionCall, { output: { answer: 'All.' } })
  expect((await bobSession.waitForCall('acme-list-orders')).accountOf).toEqual({
    id: 'person:ann',
    name: 'ann',
    others: ['bob']
  })
  expect(await usedOf()).toEqual([])
})

test('22 A3: a user who answers an agent’s question becomes an asker of the following calls', async () => {
  const { open, usedOf } = await startScriptedServer([question, orders, replyText('Done.')], clerk)
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.runTurn('Ask, then list.')
  await bobSession.answer(await bobSession.waitForCall('ask-question'), { output: { answer: 'All.' } })
  const call = await consentCallIn(annSession)
  expect(call.accountOf).toEqual({ id: 'person:ann', name: 'ann', others: ['bob'] })
  await annSession.answer(call, { approved: true })
  await expect.poll(usedOf).toEqual(['person:ann'])
})

test('22 A3: a user who approves a call with edited arguments becomes an asker, so the owner of the account must approve', async () => {
  const { open, usedOf } = await startServerWithAccounts()
  const { as } = await open()
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.runTurn(orderCommand)
  const call = await annSession.waitForCall('acme-create-order')
  await bobSession.answer(call, { approved: true, input: { item: 'coffee', quantity: 9 } })
  const consentCall = await consentCallIn(annSession)
  expect(consentCall).toMatchObject({ state: 'open', kind: 'approval', accountOf: { others: ['bob'] } })
  expect(await usedOf()).toEqual([])
  await annSession.answer(consentCall, { approved: true })
  await expect.poll(usedOf).toEqual(['person:ann'])
})

test('22 A3: an out-of-band message from another agent adds its askers to the turn', async () => {
  const { open, ctx } = await startScriptedServer([replyText('Hello.'), orders], clerk)
  const { sessionId, as } = await open(undefined, 'test')
  const annSession = await as(ann)
  await annSession.runTurn('Hello.')
  const { sessionKey } = await sessionOf(ctx, (await open(undefined, 'test')).sessionId)
  const oobMessage = SendOob.parse({
    sessionId,
    content: 'List.',
    source: 'agent',
    sourceId: 'a',
    priority: 'critical'
  })
  await sendOutOfBand(ctx, oobMessage, { key: sessionKey, chain: [], hops: 1 })
  expect((await annSession.waitForCall('acme-list-orders')).accountOf).toMatchObject({
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
  return (await session.waitForEvent(isListing)).call.accountOf
}

const annAlone = { id: 'person:ann', name: 'ann' }
const annAndBob = { ...annAlone, others: ['bob'] }
const reason = 'List all orders instead.'
const order = replyCalls({ name: 'acme-create-order', input: { item: 'tea', quantity: 1 } })
const clerkWithOrders = [...clerk, { name: 'acme-create-order', approval: 'ask' }]
const pickFile = { name: 'pick-file', description: 'Picks a file.', inputSchema: { type: 'object' } }
const answers: [string, ReturnType<typeof replyCalls>, Answer][] = [
  ['declines a question with a reason', question, { declined: true, reason }],
  ['denies a call with a reason', order, { approved: false, reason }],
  ['answers a browser tool', replyCalls({ name: 'pick-file', input: {} }), { output: { name: reason } }],
  ['answers an external tool', replyCalls({ name: 'outside', input: {} }), { output: { said: reason } }],
  [
    'reports that a sub-agent failed',
    replyCalls({ name: 'spawn-agent', input: { task: 'Wait.' } }),
    { error: reason }
  ],
  [
    'gives a reason why there is no account',
    replyCalls({ name: 'request_connection', input: { integration: 'acme', slug: 'other' } }),
    { output: { connected: false, reason } }
  ]
]

/** Returns an external tool, its server and the settings that permit calls to it. */
async function externalTool() {
  const other = await startExternalSystem()
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
  '22 A3: a user who %s counts among the authors of the agent’s next calls',
  async (_, step, answer) => {
    const external = await externalTool()
    const deferred = Promise.withResolvers<ReturnType<typeof replyText>>()
    onTestFinished(() => deferred.resolve(replyText('Late.')))
    const { open, usedOf } = await startScriptedServer(
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
    await bobSession.answer((await bobSession.waitForEvent(isApproval)).call, answer)
    expect(await accountOfListing(annSession)).toEqual(annAndBob)
    expect(await usedOf()).toEqual([])
  }
)

test('22 A3: an external system that answers its own call adds no asker; a user who requested the link does', async () => {
  const { tool, settings, other } = await externalTool()
  const externalCall = replyCalls({ name: 'outside', input: {} })
  const script = [externalCall, orders, replyText('Done.'), externalCall, orders]
  const { open, ctx } = await startScriptedServer(script, [tool, ...clerk], settings)
  const answerCallback = async ({ answerUrl }: { answerUrl: string }) =>
    answerExternal(ctx, {
      capability: answerUrl.split('/').at(-1) ?? '',
      answer: { output: { said: reason } }
    })
  const first = await (await open(undefined, 'test')).as(ann)
  const done = first.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await first.send('Ask outside, then list.')
  await answerCallback(JSON.parse((await other.request(0)).body))
  expect(await accountOfListing(first)).toEqual(annAlone)
  await done

  const second = await (await open(undefined, 'test')).as(ann)
  await second.send('Ask outside, then list.')
  const { toolCallId } = await second.waitForCall('outside')
  await answerCallback(await answerLinkOf(by(ctx, bob), { sessionId: second.id, toolCallId }))
  expect(await accountOfListing(second)).toEqual(annAndBob)
})

test('22 A3: approving or denying a call without other input adds no asker', async () => {
  const { open, usedOf } = await startScriptedServer(
    [order, order, question, orders, replyText('Done.')],
    clerkWithOrders
  )
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  const done = annSession.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await annSession.send('Order twice, ask, list.')
  const first = await bobSession.waitForCall('acme-create-order')
  await bobSession.answer(first, { approved: true, reason: 'Fine with me.' })
  await bobSession.waitForSettled(first)
  await bobSession.answer(await bobSession.waitForCall('acme-create-order'), { approved: false })
  await bobSession.answer(await bobSession.waitForCall('ask-question'), { declined: true })
  await done
  expect(await accountOfListing(annSession)).toEqual(annAlone)
  expect(await usedOf()).toEqual(['person:ann'])
})

test('22 A3: a user who hands a conversation over with a reason becomes an asker of the next agent’s calls', async () => {
  for (const [input, expectedAccount] of [
    [{ reason }, annAndBob],
    [{}, annAlone]
  ] as const) {
    const { open, saveAgent, ctx } = await startScriptedServer(
      [replyText('Hello.'), orders, replyText('Done.')],
      clerk
    )
    await saveAgent({ agentId: 'other', chat: { model: 'openai-compatible/script', tools: clerk } as never })
    const { sessionId, as } = await open(undefined, 'test')
    const annSession = await as(ann)
    await annSession.runTurn('Hello.')
    await handOffSession(by(ctx, bob), { sessionId, agentId: 'other', ...input })
    await annSession.send('Go on.')
    expect(await accountOfListing(annSession)).toEqual(expectedAccount)
    expect(JSON.stringify((await annSession.get()).messages)).not.toContain('person:bob')
  }
})

/**
 * Returns such a server with sub-agents: `above` replies to `Do it.`, and `below` to the task of the sub-agent.
 */
const startServerWithSubAgents = (
  above: (text: string) => ReturnType<typeof replyText>,
  below: typeof above
) =>
  startScriptedServer(
    ({ body }) => {
      const text = JSON.stringify(body.messages.slice(1))
      return text.includes('Do it.') ? above(text) : below(text)
    },
    [...clerk, { name: 'spawn-agent', approval: 'ask' }]
  )
const spawnCall = replyCalls({ name: 'spawn-agent', input: { task: 'Count.' } })
const count = replyCalls({ name: 'spawn-agent', input: { task: 'Counting.' } })
const approvalWithTask = { approved: true, input: { task: reason } } as const

/** Approves the sub-agent, and returns its session as an actor sees it. */
async function childOf(
  { ctx, reopenSession }: Awaited<ReturnType<typeof startServerWithSubAgents>>,
  session: TestSession,
  extra = {}
) {
  await session.answer(await session.waitForCall('spawn-agent'), { approved: true, ...extra })
  const find = () => ctx.sql<{ id: string }[]>`select id from sessions where parent_key = ${session.key}`
  await expect.poll(find).toHaveLength(1)
  const [child] = await find()
  return { as: (actor: Actor) => reopenSession(child?.id ?? '', by(ctx, actor)) }
}

test('22 A3: a sub-agent whose task was edited by another user needs the approval of the account’s owner', async () => {
  const server = await startServerWithSubAgents(
    () => spawnCall,
    () => orders
  )
  const { as } = await server.open(undefined, 'test')
  await (await as(ann)).send('Do it.')
  const child = await (await childOf(server, await as(bob), approvalWithTask)).as(ann)
  expect(await accountOfListing(child)).toEqual(annAndBob)
  expect(await server.usedOf()).toEqual([])
})

test('22 A3: a user who influences a sub-agent’s result becomes an asker of its parent’s calls', async () => {
  const server = await startServerWithSubAgents(
    text => (text.includes('All counted.') ? orders : spawnCall),
    text => (text.includes('All.') ? replyText('All counted.') : question)
  )
  const { as } = await server.open(undefined, 'test')
  const annSession = await as(ann)
  await annSession.send('Do it.')
  const child = await (await childOf(server, annSession)).as(bob)
  await child.answer(await child.waitForCall('ask-question'), { output: { answer: 'All.' } })
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
})

test('22 A3: a user who edited an approved call stays an asker of later calls, even if the owner approved that call', async () => {
  const { open, usedOf } = await startScriptedServer([order, orders, replyText('Done.')], clerkWithOrders)
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.send('Order, then list.')
  const call = await bobSession.waitForCall('acme-create-order')
  await bobSession.answer(call, { approved: true, input: { item: reason, quantity: 1 } })
  await annSession.answer(await consentCallIn(annSession), { approved: true })
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
  expect(await usedOf()).toEqual(['person:ann'])
})

test('22 A3: an answer that is first read in another user’s turn adds its author as an asker, even in a branch', async () => {
  const twoQuestions = replyCalls(
    { name: 'ask-question', input: { question: 'Which?' } },
    { name: 'ask-question', input: { question: 'When?' } }
  )
  const { open, ctx, reopenSession } = await startScriptedServer(
    [twoQuestions, orders, orders, replyText('Done.')],
    clerk
  )
  const { sessionId, as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.runTurn('Ask twice.')
  await bobSession.answer(await bobSession.waitForCall('ask-question'), { output: { answer: 'All.' } })
  const messageId = (await annSession.get()).messages[0]?.id ?? ''
  const branch = await branchSession(ctx, { sessionId, messageId, key: 'b' })
  for (const session of [annSession, await reopenSession(branch.sessionId, by(ctx, ann))]) {
    await session.send('Go on without me.')
    expect(await accountOfListing(session)).toEqual(annAndBob)
  }
})

test('22 A3: an alarm has every user as an asker whose input the agent received, including answers', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = replyCalls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'List the orders.' } })
  const { open, advanceTime } = await startScriptedServer(
    [question, alarm, replyText('It is set.'), orders, replyText('Done.')],
    [...clerk, { name: 'alarm-clock' }]
  )
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await annSession.runTurn('Ask, then set it.')
  await bobSession.answer(await bobSession.waitForCall('ask-question'), { output: { answer: 'All.' } })
  await annSession.waitForEnd()
  await advanceTime(700)
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
})

test('22 A3: a user who runs another user’s turn again is not its only asker, even with edited text', async () => {
  for (const text of [undefined, 'List what is mine.']) {
    const { open, ctx } = await startScriptedServer([replyText('Hello.'), orders, replyText('Done.')], clerk)
    const { sessionId, as } = await open(undefined, 'test')
    await (await as(bob)).runTurn('List all.')
    const annSession = await as(ann)
    const messageId = (await annSession.get()).messages[0]?.id ?? ''
    await rerunTurn(by(ctx, ann), RerunTurn.parse({ sessionId, messageId, text }))
    expect(await accountOfListing(annSession)).toEqual(annAndBob)
    expect(JSON.stringify(await ctx.sql`select payload from events`)).not.toContain('"also"')
  }
})

test('22 A3: authors of earlier turns stay askers, because the model still reads their messages', async () => {
  const { open, usedOf } = await startScriptedServer(
    [replyText('I will.'), orders, replyText('Done.')],
    clerk
  )
  const { as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  expect(await bobSession.runTurn('With the next message, list all orders first.')).toMatchObject({
    outcome: 'done'
  })
  await annSession.send('Hello.')
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
  expect(await usedOf()).toEqual([])
})

test('22 A3: an alarm keeps the askers of the time when it was set, even after their messages are deleted', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = replyCalls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'List the orders.' } })
  const { open, advanceTime, ctx } = await startScriptedServer(
    [alarm, replyText('It is set.'), replyText('Hello.'), orders, replyText('Done.')],
    [...clerk, { name: 'alarm-clock' }]
  )
  const { sessionId, as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  await bobSession.runTurn('Set an alarm to list all orders.')
  const messageId = (await bobSession.get()).messages[0]?.id ?? ''
  await removeTurn(by(ctx, bob), RemoveTurn.parse({ sessionId, messageId }))
  await annSession.runTurn('Hello.')
  await advanceTime(700)
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
})

test('22 A3: a user who declared a tool is an asker of every turn that has it, because its description is in the prompt', async () => {
  const { open, ctx } = await startScriptedServer([replyText('Hello.'), orders, replyText('Done.')], clerk)
  const { sessionId, as } = await open(undefined, 'test')
  const [bobSession, annSession] = [await as(bob), await as(ann)]
  const note = { name: 'note', description: 'First list all orders.', inputSchema: { type: 'object' } }
  await bobSession.runTurn('Hello.', { clientTools: [note] })
  const messageId = (await bobSession.get()).messages[0]?.id ?? ''
  await removeTurn(by(ctx, bob), RemoveTurn.parse({ sessionId, messageId }))
  await annSession.send('Hello.')
  expect(await accountOfListing(annSession)).toEqual(annAndBob)
})

test('22 A3: a sub-agent that a program’s alarm started uses no account, even if a user answers its question', async () => {
  const wakeAtISO = new Date(Date.now() + 600_000).toISOString()
  const alarm = replyCalls({ name: 'alarm-clock', input: { wakeAtISO, reminderMessage: 'Count them.' } })
  const { open, advanceTime, ctx, reopenSession } = await startScriptedServer(
    ({ body }) => {
      const text = JSON.stringify(body.messages.slice(1))
      if (!text.includes('Do it.')) return text.includes('All.') ? orders : question
      if (text.includes('Alarm Clock]')) return text.includes('Counting') ? replyText('Waiting.') : count
      return text.includes('wakeAtISO') ? replyText('It is set.') : alarm
    },
    [...clerk, { name: 'alarm-clock' }, { name: 'spawn-agent' }]
  )
  const { as } = await open(undefined, 'test')
  const programs = await as(ctx.actor)
  await programs.runTurn('Do it.')
  await advanceTime(700)
  const find = () => ctx.sql<{ id: string }[]>`select id from sessions where parent_key = ${programs.key}`
  await expect.poll(find).toHaveLength(1)
  const child = await reopenSession((await find())[0]?.id ?? '', by(ctx, ann))
  await child.answer(await child.waitForCall('ask-question'), { output: { answer: 'All.' } })
  expect(await accountOfListing(child)).toBeUndefined()
})

test('22 A3: a user who connects an account for a session becomes an author, because the agent reads the account’s name', async () => {
  const { open, ctx, origin } = await startServerWithAccounts({}, 'default', [])
  const { as } = await open()
  const programs = await as(ctx.actor)
  await programs.runTurn('connect acme')
  const done = programs.waitForEnd()
  await connectAt(
    { ctx: by(ctx, keyOf('operator', 'other')), origin },
    programs,
    await waitForConnectionCall(programs, 'request_connection')
  )
  await done
  const authors = await ctx.sql`select id from session_authors where session_key = ${programs.key}`
  expect(authors).toContainEqual({ id: 'key:other' })
})
