import type { Call } from '@waystation/protocol/call/call.ts'
import { ConnectHint } from '@waystation/protocol/connection/connect-hint.ts'
import { connectionSender } from '@waystation/protocol/connection/connected-message.ts'
import { expect, test } from 'vitest'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import { connectionOfCall } from '#lib/features/connections/connection-of-call.ts'
import { getIntegration, removeIntegration, saveIntegration } from '#lib/features/connections/integrations.ts'
import { handOffSession } from '#lib/features/delegation/hand-off-session.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { removeTurn } from '#lib/sessions/history/remove-turn.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { begin, connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { completeFlow } from '#tests/support/fakes/connect-acme.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { by, eveIn, person } from '#tests/support/servers/actors.ts'
import type { TestSession } from '#tests/support/servers/test-server.ts'
import { wakeAll } from '#tests/support/servers/wake-all.ts'

/** Runs a turn that asks for an account, and declines. Returns the call. */
async function declineIn(session: TestSession, text = 'connect acme'): Promise<Call> {
  await session.runTurn(text)
  const call = await openConnectionCall(session)
  const done = session.waitForEnd()
  await session.answer(call, { declined: true })
  await done
  return call
}

const openConnectionCall = async (session: TestSession): Promise<Call> =>
  (await session.get()).calls.findLast(({ kind, state }) => kind === 'connection' && state === 'open')!

/** Returns a server and a session whose request for an account was declined. */
async function withDeclined(text?: string) {
  const server = await withAcme()
  const call = await declineIn(server.session, text)
  return { ...server, call, inCall: { sessionId: server.session.id, toolCallId: call.toolCallId } }
}

/** Returns the texts of the messages about connected accounts. */
const notesIn = async (session: TestSession): Promise<string[]> =>
  (await session.get()).messages
    .filter(({ metadata }) => metadata?.sentBy === connectionSender)
    .map(({ parts }) => JSON.stringify(parts))

const callIn = async (session: TestSession, { toolCallId }: Pick<Call, 'toolCallId'>) =>
  (await session.get()).calls.find(call => call.toolCallId === toolCallId)!

const connectedAtOf = (call: Call) => ConnectHint.parse(call.render).connectedAt

test('002-12: after a declined account is connected on a retry, the agent continues its task without a message of the user', async () => {
  const server = await withAcme({}, request => {
    const text = JSON.stringify(request.body.messages)
    if (text.includes('Signal lamp')) return replyText('Here are the orders.')
    if (text.includes('is now connected')) return replyCalls({ name: 'acme-list-orders', input: {} })
    if (/reason\W+declined/.test(text)) return replyText('I cannot see the orders.')
    return replyCalls({ name: 'request_connection', input: { integration: 'acme' } })
  })
  const { session } = server
  const call = await declineIn(session, 'List my orders.')
  const done = session.waitForEnd()
  await connectAt(server, session, call, { again: true })
  await session.waitForText('Here are the orders.')
  await done
  const settled = await callIn(session, call)
  expect(settled).toMatchObject({ state: 'declined', output: { connected: false, reason: 'declined' } })
  expect(connectedAtOf(settled)).toEqual(expect.any(String))
  expect(await notesIn(session)).toHaveLength(1)
  // The message contains no text of another person, so the user's own account needs no consent.
  expect(await server.sql`select id from session_authors where id like 'system:%'`).toEqual([])
})

test('002-12: a request that expired, and a tool that did not run, continue after a retry too', async () => {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('use acme-list-orders {}')
  const listing = await waitForConnectionCall(session, 'acme-list-orders')
  const ended = session.waitForEnd()
  await server.advanceTime(16 * 60)
  await ended
  expect(await callIn(session, listing)).toMatchObject({ state: 'expired' })
  const done = session.waitForEnd()
  await connectAt(server, session, listing, { again: true })
  await done
  expect(await notesIn(session)).toEqual([expect.stringContaining('acme-list-orders')])
  expect(await callIn(session, listing)).toMatchObject({ state: 'expired' })
})

test('002-12: two retries at once let the agent continue once', async () => {
  const server = await withDeclined()
  const { session, call, ctx } = server
  const attempts = await Promise.all([1, 2].map(() => begin(ctx, session, call, undefined, true)))
  const done = session.waitForEnd()
  const pages = await Promise.all(
    attempts.map(({ url }) => completeFlow(new Browser(server.origin), url, { answer: 'allow' }))
  )
  for (const { text } of pages) expect(text).toContain('"connected":true')
  await done
  await wakeAll(server.sql, session)
  expect(await notesIn(session)).toHaveLength(1)
})

test('002-12: a retry settles an open request for the same account, and needs no message then', async () => {
  const server = await withDeclined()
  const { session, call } = server
  await session.runTurn('connect acme')
  const second = await openConnectionCall(session)
  const done = session.waitForEnd()
  await connectAt(server, session, call, { again: true })
  await done
  expect(await callIn(session, second)).toMatchObject({ output: { connected: true } })
  expect(await notesIn(session)).toEqual([])
})

test('002-12: a retry that the provider refuses, or that is given up, changes nothing, and can be repeated', async () => {
  const server = await withDeclined()
  const { session, call, ctx, inCall } = server
  await connectAt(server, session, call, { again: true, answer: 'deny' })
  expect(connectedAtOf(await callIn(session, call))).toBeUndefined()
  expect(await connectionOfCall(ctx, inCall)).toMatchObject({ state: 'available', slug: 'acme' })
  const done = session.waitForEnd()
  await connectAt(server, session, call, { again: true })
  await done
  expect(await notesIn(session)).toHaveLength(1)
})

test('002-12: only the users who can answer the call can retry, and others see that they cannot', async () => {
  const server = await withAcme()
  const { sessionId } = await createSession(server.ctx, { agentId: 'acme-clerk' })
  const ada = by(server.ctx, person('ada'))
  const bob = by(server.ctx, person('bob'))
  const session = await server.reopenSession(sessionId, ada)
  const call = await declineIn(session)
  const inCall = { sessionId, toolCallId: call.toolCallId }
  await expect(connectCall(bob, { ...inCall, again: true })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await connectionOfCall(bob, inCall)).toMatchObject({ state: 'not_yours' })
  expect(await connectionOfCall(ada, inCall)).toMatchObject({ state: 'available' })
  await expect(connectCall(ada, inCall)).rejects.toMatchObject({ code: 'ALREADY_SETTLED' })
  await expect(connectionOfCall(server.actAs('Eve', 'other'), inCall)).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
})

test('002-12: an end user with a session token can retry', async () => {
  const server = await withAcme()
  const { sessionId } = await createSession(server.ctx, { agentId: 'acme-clerk', subject: 'eve' })
  const eve = by(server.ctx, eveIn(sessionId))
  const session = await server.reopenSession(sessionId, eve)
  const call = await declineIn(session)
  expect(await connectionOfCall(eve, { sessionId, toolCallId: call.toolCallId })).toMatchObject({
    state: 'available'
  })
  const done = session.waitForEnd()
  await connectAt({ ...server, ctx: eve }, session, call, { again: true })
  await done
  expect(await notesIn(session)).toHaveLength(1)
})

test('002-12: after a handoff, a deleted turn or a deleted session, a retry connects the account and sends nothing', async () => {
  const server = await withDeclined()
  const { session, call, ctx, saveAgent } = server
  await saveAgent({ agentId: 'other' })
  await handOffSession(ctx, { sessionId: session.id, agentId: 'other' })
  await connectAt(server, session, call, { again: true })
  await wakeAll(server.sql, session)
  expect(connectedAtOf(await callIn(session, call))).toEqual(expect.any(String))
  expect(await notesIn(session)).toEqual([])

  const removed = await server.startSession('acme-clerk')
  const removedCall = await declineIn(removed)
  const attempt = await begin(ctx, removed, removedCall, undefined, true)
  const [first] = (await removed.get()).messages
  await removeTurn(ctx, { sessionId: removed.id, messageId: first?.id ?? '', calls: false })
  await completeFlow(new Browser(server.origin), attempt.url)
  await wakeAll(server.sql, removed)
  expect((await removed.get()).messages).toEqual([])

  const deleted = await server.startSession('acme-clerk')
  const deletedCall = await declineIn(deleted)
  const { url } = await begin(ctx, deleted, deletedCall, undefined, true)
  await deleteSession(ctx, { sessionId: deleted.id })
  const page = await completeFlow(new Browser(server.origin), url)
  expect(page.text).not.toContain('"connected":true')
})

test('002-12: an account that is connected by now, a removed service and one without a setup offer no retry', async () => {
  const server = await withDeclined()
  const { session, call, ctx, inCall } = server
  const { config } = await getIntegration(ctx, { integration: 'acme' })
  const stateNow = async () => (await connectionOfCall(ctx, inCall)).state
  const { oauth } = config
  await saveIntegration(ctx, {
    integration: 'acme',
    config: { ...config, oauth: { ...oauth, clientId: '' } }
  })
  expect(await stateNow()).toBe('needs_setup')
  await expect(connectCall(ctx, { ...inCall, again: true })).rejects.toMatchObject({ code: 'CONFLICT' })
  await removeIntegration(ctx, { integration: 'acme' })
  expect(await stateNow()).toBe('available')

  await session.runTurn('connect acme')
  const done = session.waitForEnd()
  await connectAt(server, session, await openConnectionCall(session))
  await done
  expect(await stateNow()).toBe('connected')
  await expect(connectCall(ctx, { ...inCall, again: true })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(connectedAtOf(await callIn(session, call))).toBeUndefined()

  const own = { service: 'Own', apiBase: 'https://own.example', apiKey: config.apiKey ?? keyConfig }
  await saveIntegration(ctx, { integration: 'own', config: own })
  const ownCall = await declineIn(session, 'use request_connection {"integration": "own"}')
  await removeIntegration(ctx, { integration: 'own' })
  const at = { sessionId: session.id, toolCallId: ownCall.toolCallId }
  expect(await connectionOfCall(ctx, at)).toMatchObject({ state: 'removed', service: 'Own' })
  await expect(connectCall(ctx, { ...at, again: true })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

const keyConfig = {
  fields: [{ name: 'token', label: 'Token' }],
  header: { name: 'authorization', value: 'Bearer {token}' }
}
