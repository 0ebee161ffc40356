import type { ApiError } from '@waystation/base/api-error.ts'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { members, users } from '#db/schema/workspaces.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { cancelCall } from '#lib/engine/calls/cancel.ts'
import { extendCall } from '#lib/engine/calls/extend.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import type { Actor, Ctx, Role } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const person = (userId: string, role: Role, name = userId): Actor => ({
  kind: 'person',
  userId,
  name,
  role,
  workspaceId: 'default'
})
const key = (keyId: string, role: Role): Actor => ({
  kind: 'key',
  keyId,
  name: keyId,
  role,
  workspaceId: 'default'
})
const actors = {
  ada: person('ada', 'owner', 'Ada'),
  ed: person('ed', 'editor', 'Ed'),
  olga: person('olga', 'operator', 'Olga'),
  ownerKey: key('k1', 'owner'),
  operatorKey: key('k2', 'operator')
} satisfies Record<string, Actor>
type Name = keyof typeof actors | 'token' | 'link'
const allNames: Name[] = ['ada', 'ed', 'olga', 'ownerKey', 'operatorKey', 'token', 'link']
const actorNames = allNames.filter(name => name !== 'token' && name !== 'link')

async function startServerWithPolicy(answer?: AnswerPolicy, toolPolicy?: AnswerPolicy): Promise<TestServer> {
  const server = await startTestServer()
  for (const actor of [actors.ada, actors.ed, actors.olga])
    if (actor.kind === 'person') {
      await server.ctx.db.insert(users).values({ id: actor.userId, name: actor.name })
      await server.ctx.db
        .insert(members)
        .values({ workspaceId: 'default', userId: actor.userId, role: actor.role })
    }
  await server.saveAgent({
    chat: {
      tools: [
        { name: 'ask-question' },
        { name: 'web-fetch', approval: 'ask', ...(toolPolicy && { answer: toolPolicy }) }
      ],
      ...(answer && { answer })
    }
  })
  return server
}

/** Lets `asker` make the agent open this many approvals and questions, and returns once all are open. */
async function openCalls(server: TestServer, asker: Actor, count: number, sessionId = 'order') {
  const created = await createSession(ctxFor(actors.ownerKey), { agentId: 'test', sessionId })
  const session = await server.reopenSession(created.sessionId)
  const commands = Array.from(
    { length: count },
    (_, n) =>
      `use web-fetch {"url": "https://example.com/${n}"}\nuse ask-question {"question": "Which ${n}?"}`
  )
  const ended = session.waitForEnd()
  await sendMessage(ctxFor(asker), { sessionId, text: commands.join('\n'), whenBusy: 'reject' })
  await ended
  const { waitingFor } = (await session.get()).session
  const callsOfKind = (kind: Call['kind']) => waitingFor.filter(call => call.kind === kind)
  return { session, approvals: callsOfKind('approval'), questions: callsOfKind('question') }
}

const no: Record<string, Answer> = {
  approval: { approved: false },
  question: { output: { answer: 'this one' } }
}

/**
 * Tries to answer with the function that all endpoints use, and returns the error code, or undefined on
 * success.
 */
async function tries(name: Name, sessionId: string, call: Call): Promise<string | undefined> {
  const { toolCallId } = call
  const input = { sessionId, toolCallId, answer: no[call.kind] as Answer }
  const subject = {
    kind: 'subject',
    tokenId: 't',
    name: 'eve',
    subject: 'eve',
    workspaceId: 'default'
  } as const
  const system = ctxFor({ kind: 'system', name: 'The answer link', workspaceId: 'default' })
  const codeOf = (error: { code: string }) => error.code
  const attempt =
    name === 'link'
      ? answerCall(system, { ...input, via: 'link' })
      : answerCall(
          ctxFor(
            name === 'token' ? { ...subject, scopes: ['answer'], sessionId, generation: 1 } : actors[name]
          ),
          input
        )
  return attempt.then(() => undefined, codeOf)
}

const rows: [
  words: string,
  AnswerPolicy | undefined,
  asker: keyof typeof actors,
  approve: Name[],
  answer: Name[]
][] = [
  ['no policy', undefined, 'ada', allNames, allNames],
  ['owners', { roles: ['owner'] }, 'ada', ['ada', 'ownerKey'], ['ada', 'ownerKey']],
  [
    'editors and operators',
    { roles: ['editor', 'operator'] },
    'olga',
    ['ed', 'olga', 'operatorKey'],
    ['ed', 'olga', 'operatorKey']
  ],
  ['one user', { people: ['olga'] }, 'ada', ['olga'], ['olga']],
  [
    'owners and one user',
    { roles: ['owner'], people: ['olga'] },
    'ed',
    ['ada', 'olga', 'ownerKey'],
    ['ada', 'olga', 'ownerKey']
  ],
  ['not the user who asked', { notAsker: true }, 'ada', actorNames.filter(name => name !== 'ada'), allNames],
  [
    'not the API key that asked',
    { notAsker: true },
    'operatorKey',
    actorNames.filter(name => name !== 'operatorKey'),
    allNames
  ],
  [
    'owners, but not the user who asked',
    { roles: ['owner'], notAsker: true },
    'ada',
    ['ownerKey'],
    ['ada', 'ownerKey']
  ],
  [
    'owners, and links',
    { roles: ['owner'], links: true },
    'ada',
    ['ada', 'ownerKey', 'token', 'link'],
    ['ada', 'ownerKey', 'token', 'link']
  ],
  [
    'not the user who asked, and links',
    { notAsker: true, links: true },
    'ada',
    allNames.filter(name => name !== 'ada'),
    allNames
  ],
  ['no links', { links: false }, 'ada', actorNames, actorNames]
]

test.each(rows)('the policy “%s” decides who can answer', async (_, policy, asker, approve, answer) => {
  const server = await startServerWithPolicy(policy)
  const { session, approvals, questions } = await openCalls(server, actors[asker], allNames.length)
  for (const [calls, allowed] of [
    [approvals, approve],
    [questions, answer]
  ] as const) {
    expect(calls).toHaveLength(allNames.length)
    for (const [index, name] of allNames.entries()) {
      const call = calls[index]!
      const canAnswer = allowed.includes(name)
      // The list marks exactly the calls that this actor can answer, with the filter `mine` and without it.
      if (name !== 'token' && name !== 'link') {
        const ctx = ctxFor(actors[name])
        const listedIds = (await listPendingCalls(ctx, { mine: true })).calls.map(
          ({ toolCallId }) => toolCallId
        )
        expect(listedIds.includes(call.toolCallId), `mine ${call.kind} ${name}`).toBe(canAnswer)
        const listedCalls = (await listPendingCalls(ctx, {})).calls
        expect(listedCalls.find(({ toolCallId }) => toolCallId === call.toolCallId)?.mine, name).toBe(
          canAnswer
        )
      }
      expect(await tries(name, session.id, call), `${call.kind} by ${name}`).toBe(
        canAnswer ? undefined : 'FORBIDDEN'
      )
    }
    const openIds = (await session.get()).session.waitingFor.map(({ toolCallId }) => toolCallId)
    for (const [index, name] of allNames.entries())
      expect(openIds.includes(calls[index]!.toolCallId), name).toBe(!allowed.includes(name))
  }
})

test('a user who sent an out-of-band message is an asker too, whichever source it names', async () => {
  const server = await startServerWithPolicy({ notAsker: true })
  await createSession(ctxFor(actors.ownerKey), { agentId: 'test', sessionId: 'beside' })
  const session = await server.reopenSession('beside')
  await sendOutOfBand(
    ctxFor(actors.operatorKey),
    SendOob.parse({ sessionId: 'beside', content: 'It was agreed.', source: 'external', sourceId: 'ops' })
  )
  const ended = session.waitForEnd()
  const text = 'use web-fetch {"url": "https://example.com/refund"}'
  await sendMessage(ctxFor(actors.ed), { sessionId: 'beside', text, whenBusy: 'reject' })
  await ended
  const [approval] = (await session.get()).session.waitingFor
  if (approval === undefined) throw new Error('Nothing was asked.')
  expect(await tries('operatorKey', 'beside', approval)).toBe('FORBIDDEN')
  expect(await tries('ed', 'beside', approval)).toBe('FORBIDDEN')
  expect(await tries('ada', 'beside', approval)).toBeUndefined()
})

test('an error names the roles and users that can answer, and those who cannot because they asked', async () => {
  const server = await startServerWithPolicy({ roles: ['owner', 'editor'], people: ['olga'], notAsker: true })
  const { session, approvals, questions } = await openCalls(server, actors.ada, 1)
  const errorFor = (actor: Actor, call: Call) =>
    answerCall(ctxFor(actor), {
      sessionId: session.id,
      toolCallId: call.toolCallId,
      answer: no[call.kind]!
    }).then(
      () => 'taken',
      (error: ApiError) => error.code
    )
  expect(await errorFor(actors.operatorKey, questions[0]!)).toBe('FORBIDDEN')
  expect(await errorFor(actors.ada, approvals[0]!)).toBe('FORBIDDEN')
  expect(approvals[0]?.answerers).toEqual({
    roles: ['owner', 'editor'],
    people: [{ id: 'person:olga', name: 'Olga' }],
    askers: [{ id: 'person:ada', name: 'Ada' }],
    links: false
  })
})

test('a call keeps the policy that it opened with, even if its agent changes', async () => {
  const server = await startServerWithPolicy({ roles: ['owner'] })
  const { session, questions } = await openCalls(server, actors.ada, 1)
  await server.saveAgent({
    chat: { tools: [{ name: 'ask-question' }, { name: 'web-fetch', approval: 'ask' }] }
  })
  expect(await tries('olga', session.id, questions[0]!)).toBe('FORBIDDEN')
  const laterCalls = await openCalls(server, actors.ada, 1, 'later')
  expect(laterCalls.questions[0]?.answerers).toBeUndefined()
  expect(await tries('olga', 'later', laterCalls.questions[0]!)).toBeUndefined()
})

test('a tool’s own policy replaces the policy of its agent completely', async () => {
  const server = await startServerWithPolicy({ people: ['ada'] }, { roles: ['operator'] })
  const { session, approvals, questions } = await openCalls(server, actors.ed, 2)
  expect(await tries('ada', session.id, approvals[0]!)).toBe('FORBIDDEN')
  expect(await tries('olga', session.id, approvals[0]!)).toBeUndefined()
  expect(await tries('olga', session.id, questions[0]!)).toBe('FORBIDDEN')
  expect(await tries('ada', session.id, questions[0]!)).toBeUndefined()
})

test('declining, cancelling one call and cancelling all are answers: a user who cannot answer can do none of them', async () => {
  const server = await startServerWithPolicy({ roles: ['owner'] })
  const { session, approvals } = await openCalls(server, actors.olga, 1)
  const sessionId = session.id
  const olga: Ctx = ctxFor(actors.olga)
  const { toolCallId } = approvals[0]!
  const forbidden = { code: 'FORBIDDEN' }
  const declined = { sessionId, toolCallId, answer: { declined: true as const } }
  await expect(answerCall(olga, declined)).rejects.toMatchObject(forbidden)
  await expect(cancelCall(olga, { sessionId, toolCallId })).rejects.toMatchObject(forbidden)
  await expect(cancelTurn(olga, { sessionId, calls: true })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await session.get()).session.waitingFor.filter(isWaiting)).toHaveLength(2)
  await cancelTurn(ctxFor(actors.ada), { sessionId, calls: true })
  expect((await session.get()).session.waitingFor).toEqual([])
})

test('a user who cannot answer can extend a deadline, but not shorten it', async () => {
  const server = await startServerWithPolicy({ roles: ['owner'] })
  const { session, approvals } = await openCalls(server, actors.olga, 1)
  const { toolCallId } = approvals[0]!
  const extend = (name: 'olga' | 'ada', seconds: number) =>
    extendCall(ctxFor(actors[name]), { sessionId: session.id, toolCallId, seconds })
  const { deadline } = await extend('olga', 20 * 86_400)
  await expect(extend('olga', 1)).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  const [stillOpen] = (await session.get()).session.waitingFor.filter(call => call.toolCallId === toolCallId)
  expect(stillOpen).toMatchObject({ state: 'open', deadline })
  expect((await extend('ada', 3600)).deadline < deadline).toBe(true)
})

test('a user who steers a turn becomes an asker; an answer starts no turn, so the askers stay the same', async () => {
  const server = await startTestServer()
  await server.saveAgent({
    chat: {
      tools: [{ name: 'ask-question' }, { name: 'web-fetch', approval: 'ask' }],
      answer: { notAsker: true }
    }
  })
  await createSession(server.ctx, { agentId: 'test', sessionId: 'order' })
  const session = await server.reopenSession('order')
  const send = (actor: Actor, text: string, whenBusy: 'reject' | 'steer') =>
    sendMessage(ctxFor(actor), { sessionId: 'order', text, whenBusy })
  const counting = session.waitForNextEvent(
    event => event.type === 'chunk' && event.chunk.type === 'text-delta'
  )
  await send(actors.ed, 'count to 40', 'reject')
  await counting
  const parked = session.waitForEnd()
  await send(actors.olga, 'use web-fetch {"url": "https://example.com/"}', 'steer')
  await parked
  const call = await session.waitForCall('web-fetch')
  expect(call.answerers?.askers?.map(({ name }) => name)).toEqual(['Ed', 'Olga'])
  for (const name of ['ed', 'olga'] as const) expect(await tries(name, 'order', call), name).toBe('FORBIDDEN')

  // The step after the answer belongs to the same askers.
  await createSession(server.ctx, { agentId: 'test', sessionId: 'then' })
  const followUp = await server.reopenSession('then')
  const first = followUp.waitForEnd()
  await sendMessage(ctxFor(actors.ed), {
    sessionId: 'then',
    text: 'use ask-question {"question": "Sure?"}\nthen\nuse web-fetch {"url": "https://example.com/"}',
    whenBusy: 'reject'
  })
  await first
  const question = await followUp.waitForCall('ask-question')
  const second = followUp.waitForEnd()
  await followUp.answer(question, { output: { answer: 'yes' } }, ctxFor(actors.olga))
  await second
  const approval = await followUp.waitForCall('web-fetch')
  expect(approval.answerers?.askers).toEqual([{ id: 'person:ed', name: 'Ed' }])
  expect(await tries('olga', 'then', approval)).toBeUndefined()
})

test('another user with the same name is a different user', async () => {
  const server = await startServerWithPolicy({ notAsker: true })
  const { session, approvals } = await openCalls(server, { ...actors.ed, name: 'Ada' }, 2)
  const otherAda = ctxFor({ ...actors.olga, name: 'Ada' })
  const { toolCallId } = approvals[0]!
  expect(
    await answerCall(otherAda, { sessionId: session.id, toolCallId, answer: { approved: false } })
  ).toMatchObject({ state: 'denied' })
})

test('the policy applies to each endpoint: a key, a session token, and a stock client that posts its answers', async () => {
  const server = await startServerWithPolicy({ roles: ['owner'] })
  const { session, questions, approvals } = await openCalls(server, actors.ada, 1)
  const sessionId = session.id
  const { secret } = await createKey(server.ctx, { name: 'worker', role: 'operator' })
  const tokenInput = {
    sessionId,
    subject: 'eve',
    scopes: ['read', 'send', 'answer'] as const,
    ttlSeconds: 60
  }
  const { token } = await createToken(ctxFor(actors.ada), { ...tokenInput, scopes: [...tokenInput.scopes] })
  const params = { sessionId, toolCallId: questions[0]!.toolCallId }
  for (const credential of [secret, token]) {
    const answerResponse = await callEndpoint(
      callOperations.answer,
      { params, body: no.question },
      credential
    )
    expect(answerResponse).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await callEndpoint(callOperations.cancel, { params }, credential)).status).toBe(403)
    const cancelled = await callEndpoint(
      sessionOperations.cancel,
      { params, body: { calls: true } },
      credential
    )
    expect(cancelled.status).toBe(403)
    const { toolCallId } = approvals[0]!
    const part = {
      type: 'tool-web-fetch',
      toolCallId,
      state: 'approval-responded',
      input: {},
      approval: { id: toolCallId, approved: true }
    }
    const postedChat = { id: sessionId, messages: [{ id: 'm', role: 'assistant', parts: [part] }] }
    expect((await callEndpoint(chatOperations.post, { body: postedChat }, credential)).status).toBe(403)
  }
  expect((await session.get()).session.waitingFor).toHaveLength(2)
  expect((await callEndpoint(callOperations.answer, { params, body: no.question })).status).toBe(200)
})

test('a policy without roles, or with a role that cannot answer, is refused', () => {
  const policies = [{ roles: [] }, { roles: ['viewer'] }, { people: [] }, { askers: true }]
  for (const answer of policies)
    expect(
      AgentConfig.safeParse({ agentId: 'a', displayName: 'A', chat: { answer } }).success,
      JSON.stringify(answer)
    ).toBe(false)
})
