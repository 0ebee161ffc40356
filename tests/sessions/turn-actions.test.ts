import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { applyEvent, emptyTranscript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { getContext } from '#lib/sessions/context/get-context.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyError, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }

/** Returns the prompt of a request, without the agent’s instructions. */
const promptOf = (request: ModelRequest | undefined) =>
  (request?.body.messages ?? [])
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`)

/** Returns the session’s messages as users see them. */
const visibleTexts = async (session: TestSession) => (await session.get()).messages.map(textOf)

const idOf = async (session: TestSession, text: string) => {
  const message = (await session.get()).messages.find(message => textOf(message) === text)
  if (message === undefined) throw new Error(`Nobody said "${text}".`)
  return message.id
}

/** Returns a session in which these messages have been sent and answered. */
async function sessionWithTurns(texts: string[], script: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer({ script: (_, n) => replyText(`Answer ${n}.`), ...script })
  await server.saveAgent({ chat: { tools: [{ name: 'ask-question' }] } })
  const session = await server.startSession('test')
  for (const text of texts) await session.runTurn(text)
  return { ...server, session, endpoints: turnEndpoints(session.id) }
}

/** Returns functions for the three endpoints that change a session’s turns. */
const turnEndpoints = (sessionId: string) => {
  const paramsOf = (messageId: string) => ({ sessionId, messageId })
  return {
    rerun: (messageId: string, body: object = {}, secret?: string) =>
      callEndpoint(sessionOperations.rerunTurn, { params: paramsOf(messageId), body }, secret),
    remove: (messageId: string, query: Record<string, string> = {}, secret?: string) =>
      callEndpoint(sessionOperations.removeTurn, { params: paramsOf(messageId), query }, secret),
    branch: (messageId: string, body: object = {}, secret?: string) =>
      callEndpoint(sessionOperations.branch, { params: paramsOf(messageId), body }, secret)
  }
}

/**
 * Expects the same transcript from the full log, from a snapshot, and from an earlier snapshot with the later
 * events.
 */
async function expectSameTranscript(session: TestSession, before?: Awaited<ReturnType<TestSession['get']>>) {
  const { session: _, ...now } = await session.get()
  const log = await session.log()
  const summaryOf = (transcript: typeof emptyTranscript) => ({
    messages: transcript.messages.map(({ message }) => [message.id, textOf(message)]),
    status: transcript.status,
    open: Object.values(transcript.calls).filter(({ state }) => state === 'open').length
  })
  const currentSummary = summaryOf(transcriptOf(now))
  expect(summaryOf(log.reduce(applyEvent, emptyTranscript))).toEqual(currentSummary)
  if (before === undefined) return
  const { session: _session, ...snapshot } = before
  expect(summaryOf(log.reduce(applyEvent, transcriptOf(snapshot)))).toEqual(currentSummary)
}

test('001-21: a turn runs again from the same message: its answer and everything later are deleted, for users and for the model', async () => {
  const { session, endpoints, model, sql } = await sessionWithTurns(['One', 'Two', 'Three'])
  const before = await session.get()
  const ended = session.waitForEnd()
  // A turn can be named by its answer as well as by its message.
  const { status, body } = await endpoints.rerun(await idOf(session, 'Answer 1.'))
  expect(status).toBe(202)
  expect(body).toMatchObject({ status: 'started' })
  await ended
  expect(await visibleTexts(session)).toEqual(['One', 'Answer 0.', 'Two', 'Answer 3.'])
  expect(promptOf(model.requests[3])).toEqual(promptOf(model.requests[1]))
  await expectSameTranscript(session, before)
  await expectValidSessions(sql)
})

test('001-21: an edited message continues the conversation from there, and keeps its files', async () => {
  const { session, endpoints, model } = await sessionWithTurns(['One'])
  const file = {
    type: 'file',
    mediaType: 'image/png',
    filename: 'a.png',
    url: 'data:image/png;base64,AAAA'
  } as const
  await session.runTurn('', { parts: [{ type: 'text', text: 'Two' }, file] })
  await session.runTurn('Three')
  const ended = session.waitForEnd()
  await endpoints.rerun(await idOf(session, 'Two'), { text: 'Two, but better' })
  await ended
  expect(await visibleTexts(session)).toEqual(['One', 'Answer 0.', 'Two, but better', 'Answer 3.'])
  expect((await session.get()).messages[2]?.parts).toEqual([{ type: 'text', text: 'Two, but better' }, file])
  expect(promptOf(model.requests[3]).join()).not.toMatch(/Three|Answer 1/)
  expect(await endpoints.rerun(await idOf(session, 'One'), { text: ' ' })).toMatchObject({
    status: 400,
    body: { code: 'EMPTY_MESSAGE' }
  })
  expect(await visibleTexts(session)).toHaveLength(4)
})

test('001-21: a deleted turn in the middle is missing from the next prompt, even if the window was in memory', async () => {
  const { session, endpoints, model, sql } = await sessionWithTurns(['One', 'Two', 'Three'])
  const before = await session.get()
  const { status, body } = await endpoints.remove(await idOf(session, 'Two'))
  expect(status).toBe(200)
  expect(body.messageIds).toHaveLength(2)
  expect(await visibleTexts(session)).toEqual(['One', 'Answer 0.', 'Three', 'Answer 2.'])
  await session.runTurn('Four')
  expect(promptOf(model.requests[3]).join()).not.toMatch(/Two|Answer 1/)
  expect(promptOf(model.requests[3])).toHaveLength(5)
  await expectSameTranscript(session, before)
  await expectValidSessions(sql)
})

test('001-21: pending calls block the action until the caller confirms; then they are cancelled and start nothing', async () => {
  const { session, endpoints, model, sql } = await sessionWithTurns([], {
    script: [replyCalls(question), replyText('Hello.'), replyText('Anew.')]
  })
  await session.runTurn('Ask me')
  const call = await session.waitForCall('ask-question')
  const askedId = (await session.get()).messages[0]!.id
  expect(await endpoints.remove(askedId)).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' }
  })
  expect(await endpoints.rerun(askedId)).toMatchObject({ status: 409 })
  expect(await visibleTexts(session)).toHaveLength(2)
  const before = await session.get()
  expect(await endpoints.remove(askedId, { calls: 'true' })).toMatchObject({ status: 200 })
  expect(await visibleTexts(session)).toEqual([])
  expect((await session.get()).session).toMatchObject({ status: 'idle', waitingFor: [] })
  const settledEvent = (await session.log()).findLast(event => event.type === 'call')
  expect(settledEvent).toMatchObject({
    call: { toolCallId: call.toolCallId, state: 'cancelled', via: 'cancel' }
  })
  await expect(session.answer(call, { output: 'Yes' })).rejects.toMatchObject({ code: 'ALREADY_SETTLED' })
  expect(model.requests).toHaveLength(1)
  await expectSameTranscript(session, before)
  await session.runTurn('Hi')
  expect(promptOf(model.requests[1])).toEqual([expect.stringMatching(/^user: .*Hi/)])
  await expectValidSessions(sql)
})

test('001-21: a late answer belongs to its call: it is deleted with the call, and stays if only the turn that delivered it is deleted', async () => {
  const { session, endpoints, model, sql } = await sessionWithTurns([], {
    script: [
      replyCalls(question),
      replyText('Meanwhile.'),
      replyText('Noted.'),
      replyText('Then?'),
      replyText('And now?')
    ]
  })
  await session.runTurn('Ask me')
  const call = await session.waitForCall('ask-question')
  await session.runTurn('Go on')
  const ended = session.waitForEnd()
  await session.answer(call, { output: { answer: 'Green tea' } })
  await ended
  await endpoints.remove(await idOf(session, 'Go on'))
  await session.runTurn('Which?')
  const promptAfter = promptOf(model.requests[3])
  expect(promptAfter.join()).toContain('Still waiting')
  expect(
    promptAfter.filter(
      contextText => contextText.includes('call_answer') && contextText.includes('Green tea')
    )
  ).toHaveLength(1)
  expect(promptAfter.join()).not.toContain('Go on')

  await endpoints.remove(await idOf(session, 'Ask me'))
  await session.runTurn('And?')
  expect(promptOf(model.requests[4]).join()).not.toMatch(/Ask me|call_answer|Green tea|tool:/)
  await expectValidSessions(sql)
})

test('001-21: while the agent works nothing can be undone: 409 says what to do, and earlier turns can be branched', async () => {
  const { session, endpoints, model } = await sessionWithTurns(['One'])
  model.setScript([replyThenHold('Thinking'), replyText('After.')])
  await session.send('Two')
  await session.waitForText('Thinking')
  const secondId = await idOf(session, 'Two')
  for (const response of [
    await endpoints.rerun(secondId),
    await endpoints.remove(secondId),
    await endpoints.branch(secondId)
  ])
    expect(response).toMatchObject({ status: 409, body: { code: 'SESSION_BUSY' } })
  expect(await endpoints.branch(await idOf(session, 'One'))).toMatchObject({ status: 201 })
  await session.send('Three', { whenBusy: 'queue' })
  expect(await endpoints.rerun(await idOf(session, 'Three'))).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' }
  })
  model.release()
})

test('001-21: a failed turn runs again from its start, before messages that are queued behind it', async () => {
  const { session, endpoints, model } = await sessionWithTurns(['One'])
  model.setScript([replyError(401), replyText('Better.')])
  await session.runTurn('Two')
  expect((await session.get()).session.status).toBe('failed')
  const ended = session.waitForEnd()
  await endpoints.rerun(await idOf(session, 'Two'))
  await ended
  expect(await visibleTexts(session)).toEqual(['One', 'Answer 0.', 'Two', 'Better.'])
  model.setScript([replyError(401)])
  await session.runTurn('Three')
  await endpoints.remove(await idOf(session, 'Three'))
  const { session: view, error } = await session.get()
  expect(view.status).toBe('idle')
  expect(error).toBeUndefined()
})

test('001-21: of two tabs that undo the same turn at once, one wins and the other gets an error; the same key repeats the result', async () => {
  const { session, endpoints } = await sessionWithTurns(['One', 'Two'])
  const secondId = await idOf(session, 'Two')
  const ended = session.waitForEnd()
  const [first, other] = await Promise.all([
    endpoints.rerun(secondId, { text: 'Left', key: 'left' }),
    endpoints.rerun(secondId, { text: 'Right', key: 'right' })
  ])
  expect([first.status, other.status].sort()).toEqual([202, 409])
  const loser = first.status === 409 ? first : other
  expect(loser.body).toMatchObject({ code: 'CONFLICT' })
  await ended
  const winning = first.status === 202 ? { text: 'Left', key: 'left' } : { text: 'Right', key: 'right' }
  const winner = first.status === 202 ? first : other
  expect(await endpoints.rerun(secondId, winning)).toEqual(winner)
  expect(await endpoints.rerun(secondId, { ...winning, text: 'Another' })).toMatchObject({
    status: 422,
    body: { code: 'KEY_REUSED' }
  })
  expect(await visibleTexts(session)).toHaveLength(4)
})

test('001-21: a turn outside the window can be deleted, and so is the summary that covers it', async () => {
  const longMessage = (n: number) => `Message ${n}. `.padEnd(4000, 'x')
  const { ctx, session, endpoints, model, saveAgent, sql } = await sessionWithTurns([])
  const compaction = async () => (await getContext(ctx, { sessionId: session.id, shown: 0 })).compaction
  await saveAgent({
    chat: { limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: 10_000 }, compaction: 'words' }
  })
  for (let n = 0; n < 12; n++) await session.runTurn(longMessage(n))
  expect(promptOf(model.requests.at(-1)).join()).toContain('earlier_conversation')
  expect(promptOf(model.requests.at(-1)).join()).toContain('Message 1.')
  expect(await compaction()).toBeDefined()
  await endpoints.remove(await idOf(session, longMessage(1)))
  expect(await compaction()).toBeUndefined()
  await session.runTurn('And now?')
  const prompt = promptOf(model.requests.at(-1)).join()
  expect(prompt).toContain('Message 2.')
  expect(prompt).not.toContain('Message 1.')
  const [row] = await sql`
    select context_tokens as tokens, (select sum(tokens)::int from context where session_key = s.key and id > s.context_start) as counted
    from sessions s where s.key = ${session.key}`
  expect(row?.tokens).toBe(row?.counted)
  await expectValidSessions(sql)
})

test('001-21: a branch is a copy up to a turn, links to its origin and then diverges; the original stays unchanged', async () => {
  const { session, endpoints, model, reopenSession, sql } = await sessionWithTurns([], {
    script: (_, n) => (n === 2 ? replyCalls(question) : replyText(`Answer ${n}.`))
  })
  for (const text of ['One', 'Two']) await session.runTurn(text)
  const before = await session.get()
  await session.runTurn('Ask me')
  await session.waitForCall('ask-question')
  const { status, body } = await endpoints.branch(await idOf(session, 'Answer 1.'), { key: 'once' })
  expect(status).toBe(201)
  expect(body).toMatchObject({ agentId: 'test', title: 'Branch of One' })
  expect((await endpoints.branch(await idOf(session, 'Answer 1.'), { key: 'once' })).body).toEqual(body)
  const branch = await reopenSession(String(body.sessionId))
  expect((await branch.get()).messages).toEqual(before.messages)
  expect(await sql`select snippet from sessions where id = ${String(body.sessionId)}`).toEqual([
    { snippet: 'Answer 1.' }
  ])
  expect((await branch.get()).session).toMatchObject({
    status: 'idle',
    branchedFrom: { sessionId: session.id, title: 'One' }
  })
  await expectSameTranscript(branch)
  await branch.runTurn('Elsewhere')
  expect(promptOf(model.requests[3])).toHaveLength(5)
  expect(promptOf(model.requests[3]).slice(0, 3)).toEqual(promptOf(model.requests[1]))
  expect((await session.get()).messages).toHaveLength(6)
  expect(await visibleTexts(session)).not.toContain('Elsewhere')

  const branchSession = await reopenSession(
    String((await endpoints.branch(await idOf(session, 'Ask me'))).body.sessionId)
  )
  const [call] = (await branchSession.get()).calls
  expect(call).toMatchObject({ state: 'cancelled', errorText: expect.any(String) })
  expect((await branchSession.get()).session).toMatchObject({ status: 'idle', waitingFor: [] })
  expect((await session.get()).session.waitingFor).toHaveLength(1)
  await branchSession.runTurn('Go on')
  expect(promptOf(model.requests[4]).join()).toContain(call?.errorText)
  await expectSameTranscript(branchSession)
  await expectValidSessions(sql)
})

test('001-21: a branch has every answer: one that arrived after its turn is at its call’s place', async () => {
  const { session, endpoints, model, reopenSession } = await sessionWithTurns([], {
    script: [replyCalls(question), replyText('Meanwhile.'), replyText('Noted.'), replyText('In the branch.')]
  })
  await session.runTurn('Ask me')
  const call = await session.waitForCall('ask-question')
  await session.runTurn('Go on')
  const ended = session.waitForEnd()
  await session.answer(call, { output: { answer: 'Green tea' } })
  await ended
  const { body } = await endpoints.branch((await session.get()).messages[0]!.id)
  const branch = await reopenSession(String(body.sessionId))
  await branch.runTurn('Which?')
  const prompt = promptOf(model.requests[3]).join()
  expect(prompt).toContain('Green tea')
  expect(prompt).not.toMatch(/call_answer|Still waiting/)
})

test('001-21: viewers change nothing, an end user runs and edits their own messages again, and only members delete and branch', async () => {
  const server = await sessionWithTurns(['One'])
  const { session, endpoints, ctx } = server
  const token = async (scopes: ('read' | 'send' | 'answer')[]) =>
    (await createToken(ctx, { sessionId: session.id, subject: 'ada', scopes, ttlSeconds: 3600 })).token
  const firstId = await idOf(session, 'One')
  const forbidden = { status: 403, body: { code: 'FORBIDDEN' } }
  expect(await endpoints.rerun(firstId, {}, await token(['read']))).toMatchObject(forbidden)
  const ada = await token(['read', 'send'])
  expect(await endpoints.remove(firstId, {}, ada)).toMatchObject(forbidden)
  expect(await endpoints.branch(firstId, {}, ada)).toMatchObject(forbidden)
  // Ada cannot undo Ann’s message.
  expect(await endpoints.rerun(firstId, {}, ada)).toMatchObject(forbidden)
  const turnEnd = session.waitForEnd()
  await callEndpoint(
    sessionOperations.send,
    { params: { sessionId: session.id }, body: { text: 'I am Ada' } },
    ada
  )
  await turnEnd
  const ended = session.waitForEnd()
  expect(await endpoints.rerun(await idOf(session, 'I am Ada'), { text: 'Ada I am' }, ada)).toMatchObject({
    status: 202
  })
  await ended
  expect(await visibleTexts(session)).toEqual(['One', 'Answer 0.', 'Ada I am', 'Answer 2.'])
})

test('001-21: the log and the audit record who undid which turn, and an export has both', async () => {
  const { session, endpoints, ctx } = await sessionWithTurns(['One', 'Two'])
  const secondId = await idOf(session, 'Two')
  const ended = session.waitForEnd()
  await endpoints.rerun(secondId, { text: 'Two again' })
  await ended
  await endpoints.remove(await idOf(session, 'One'))
  await endpoints.branch(await idOf(session, 'Two again'))
  const undoEvents = (await session.log()).flatMap(event =>
    event.type === 'messages-taken-out' ? [event] : []
  )
  expect(undoEvents.map(({ why, messageIds }) => [why, messageIds.length])).toEqual([
    ['edit', 2],
    ['delete', 2]
  ])
  expect(undoEvents[0]?.messageIds[0]).toBe(secondId)
  const { entries } = await listAudit(ctx, { sessionId: session.id })
  expect(entries.map(({ action }) => action)).toEqual(['session.branched', 'turn.delete', 'turn.edit'])
  expect(entries[2]).toMatchObject({ messageId: secondId, actor: undoEvents[0]?.by })
  const file = await requestEndpoint(sessionOperations.export, {
    params: { sessionId: session.id },
    query: { events: 'true' },
    headers: { authorization: 'Bearer the-admin-key-of-every-test' }
  })
  const lines = (await file.text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines.filter(({ type }) => type === 'audit')).toHaveLength(3)
  expect(lines.filter(({ event }) => event?.type === 'messages-taken-out')).toHaveLength(2)
  expect(lines.filter(({ type }) => type === 'message')).toHaveLength(2)
})

test('001-21: an external agent has its own memory, so nothing is undone there: 409 with an explanation', async () => {
  const { ctx } = await startTestServer()
  const external = { inputUrl: 'https://acme.example/in', retries: 0 }
  await createAgent(
    ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-1' })
  const { messageId } = await sendMessage(ctx, SendMessage.parse({ sessionId: 'order-1', text: 'Hello' }))
  const endpoints = turnEndpoints('order-1')
  for (const response of [
    await endpoints.rerun(messageId),
    await endpoints.remove(messageId),
    await endpoints.branch(messageId)
  ])
    expect(response).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})

test('deleting a turn deletes the note about its stop that the model received, and that of no other turn', async () => {
  const { sql, model, session, endpoints } = await sessionWithTurns([], {
    script: [replyThenHold('One'), replyThenHold('Two')]
  })
  for (const [text, answer] of [
    ['first', 'One'],
    ['second', 'Two']
  ] as const) {
    await session.send(text)
    await session.waitForText(answer)
    await session.cancel()
    await session.waitForEnd()
  }
  model.release()
  const notes = () =>
    sql`select turn_id from context where session_key = ${session.key} and kind = 'note' order by id`
  const [, second, ...others] = await notes()
  expect([second !== undefined, others]).toEqual([true, []])
  await endpoints.remove(await idOf(session, 'first'))
  expect(await notes()).toEqual([second])
  await endpoints.remove(await idOf(session, 'second'))
  expect(await notes()).toEqual([])
  await expectValidSessions(sql)
})
