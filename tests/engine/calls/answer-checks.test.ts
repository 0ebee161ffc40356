import { expect, test } from 'vitest'
import { answerCall } from '#lib/engine/calls/answer.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ingestChat } from '#lib/sessions/ingest-chat.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const clientTools = [
  {
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { seen: { type: 'string' } }, required: ['seen'] }
  }
]

/**
 * Returns a session that waits for a client tool, and a context whose schema checks wait until `release()`.
 */
async function sessionWithSlowChecks() {
  const server = await startTestServer({
    script: [replyCalls({ name: 'look', input: {} }), replyText('Seen.')]
  })
  await server.saveAgent({})
  const session = await server.startSession('test')
  await session.runTurn('Look.', { clientTools })
  const call = await session.waitForCall('look')
  const [checkStarted, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { schemas } = server.ctx.ports
  const checked: unknown[] = []
  const check: typeof schemas.check = async (...args) => {
    checked.push(args[1])
    checkStarted.resolve()
    await released.promise
    return schemas.check(...args)
  }
  const slowCtx: Ctx = { ...server.ctx, ports: { ...server.ctx.ports, schemas: { ...schemas, check } } }
  return {
    ...server,
    session,
    call,
    slow: slowCtx,
    checked,
    begun: checkStarted.promise,
    release: released.resolve
  }
}

test('22 A2: checking an answer does not block its session, and the answer is accepted', async () => {
  const { session, call, slow: slowCtx, begun: checkStarted, release } = await sessionWithSlowChecks()
  const { id: sessionId } = session
  const { toolCallId } = call
  const answering = answerCall(slowCtx, { sessionId, toolCallId, answer: { output: { seen: 'a cat' } } })
  await checkStarted
  await session.send('And be quick.', { whenBusy: 'queue' })
  release()
  expect(await answering).toEqual({ toolCallId, state: 'answered' })
})

test('22 A2: checking the answers of a posted conversation does not block its session either', async () => {
  const { session, call, slow: slowCtx, begun: checkStarted, release } = await sessionWithSlowChecks()
  const { toolCallId } = call
  const postedAnswers = [{ toolCallId, answer: { output: { seen: 'a cat' } } }]
  const ingesting = ingestChat(slowCtx, {
    sessionId: session.id,
    settled: postedAnswers,
    mayAnswer: true,
    clientTools
  })
  await checkStarted
  await session.send('And be quick.', { whenBusy: 'queue' })
  release()
  expect((await ingesting).answered).toEqual([toolCallId])
})

test('22 A2: if a posted conversation has a thousand answers to one call, only the first is checked and accepted', async () => {
  const { session, call, slow: slowCtx, checked, release } = await sessionWithSlowChecks()
  release()
  const { toolCallId } = call
  const postedAnswers = Array.from({ length: 1_000 }, (_, n) => ({
    toolCallId,
    answer: { output: { seen: `${n}` } }
  }))
  const { answered: answering } = await ingestChat(slowCtx, {
    sessionId: session.id,
    settled: postedAnswers,
    mayAnswer: true,
    clientTools
  })
  expect(answering).toEqual([toolCallId])
  expect(checked).toEqual([{ seen: '0' }])
  expect((await session.get()).calls[0]?.output).toEqual({ seen: '0' })
})

test('22 A2: an answer that cannot be checked in time is refused with that reason, and the call stays open', async () => {
  const { ctx, session, call, slow: slowCtx } = await sessionWithSlowChecks()
  const timeOut = async () => ({ ok: false as const, fields: {}, late: true as const })
  const busy: Ctx = { ...slowCtx, ports: { ...ctx.ports, schemas: { ...ctx.ports.schemas, check: timeOut } } }
  const answer = { sessionId: session.id, toolCallId: call.toolCallId, answer: { output: { seen: 'a cat' } } }
  await expect(answerCall(busy, answer)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(await answerCall(ctx, answer)).toMatchObject({ state: 'answered' })
})
