import { expect, test } from 'vitest'
import { answerCall } from '#lib/engine/calls/answer.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ingestChat } from '#lib/sessions/ingest-chat.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const clientTools = [
  {
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { seen: { type: 'string' } }, required: ['seen'] }
  }
]

/** A session that waits for a tool of its client, and a context whose checks by schemas wait until `release()`. */
async function looking() {
  const world = await testWorld({ script: [calls({ name: 'look', input: {} }), says('Seen.')] })
  await world.agent({})
  const session = await world.session('test')
  await session.says('Look.', { clientTools })
  const call = await session.waitsFor('look')
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { schemas } = world.ctx.ports
  const checked: unknown[] = []
  const check: typeof schemas.check = async (...args) => {
    checked.push(args[1])
    begun.resolve()
    await released.promise
    return schemas.check(...args)
  }
  const slow: Ctx = { ...world.ctx, ports: { ...world.ctx.ports, schemas: { ...schemas, check } } }
  return { ...world, session, call, slow, checked, begun: begun.promise, release: released.resolve }
}

test('22 A2: while an answer is checked nobody waits for its session, and the answer counts', async () => {
  const { session, call, slow, begun, release } = await looking()
  const { id: sessionId } = session
  const { toolCallId } = call
  const answered = answerCall(slow, { sessionId, toolCallId, answer: { output: { seen: 'a cat' } } })
  await begun
  await session.send('And be quick.', { whenBusy: 'queue' })
  release()
  expect(await answered).toEqual({ toolCallId, state: 'answered' })
})

test('22 A2: while the answers of a posted conversation are checked nobody waits for its session either', async () => {
  const { session, call, slow, begun, release } = await looking()
  const { toolCallId } = call
  const settled = [{ toolCallId, answer: { output: { seen: 'a cat' } } }]
  const taken = ingestChat(slow, { sessionId: session.id, settled, mayAnswer: true, clientTools })
  await begun
  await session.send('And be quick.', { whenBusy: 'queue' })
  release()
  expect((await taken).answered).toEqual([toolCallId])
})

test('22 A2: of a thousand answers to one call in a posted conversation the first is checked, and counts', async () => {
  const { session, call, slow, checked, release } = await looking()
  release()
  const { toolCallId } = call
  const settled = Array.from({ length: 1_000 }, (_, n) => ({
    toolCallId,
    answer: { output: { seen: `${n}` } }
  }))
  const { answered } = await ingestChat(slow, {
    sessionId: session.id,
    settled,
    mayAnswer: true,
    clientTools
  })
  expect(answered).toEqual([toolCallId])
  expect(checked).toEqual([{ seen: '0' }])
  expect((await session.get()).calls[0]?.output).toEqual({ seen: '0' })
})

test('22 A2: an answer that could not be checked in time is refused as that, and the call stays open', async () => {
  const { ctx, session, call, slow } = await looking()
  const late = async () => ({ ok: false as const, fields: {}, late: true as const })
  const busy: Ctx = { ...slow, ports: { ...ctx.ports, schemas: { ...ctx.ports.schemas, check: late } } }
  const answer = { sessionId: session.id, toolCallId: call.toolCallId, answer: { output: { seen: 'a cat' } } }
  await expect(answerCall(busy, answer)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(await answerCall(ctx, answer)).toMatchObject({ state: 'answered' })
})
