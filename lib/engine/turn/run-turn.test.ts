import { expect, test } from 'vitest'
import { LeaseLost } from '#lib/engine/log/session-lock.ts'
import { demoModel } from '#packages/demo-model/src/index.ts'
import { memoryTurn } from '#tests/support/worlds/memory-turn.ts'
import { runTurn } from './run-turn.ts'
import type { TurnEvent } from './turn.ts'

async function all(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const list: TurnEvent[] = []
  for await (const event of events) list.push(event)
  return list
}
const words = (events: TurnEvent[]) =>
  events
    .flatMap(event =>
      event.type === 'chunk' && event.chunk.type === 'text-delta' ? [event.chunk.delta] : []
    )
    .join('')

test('001-1, 001-13: the loop is an async generator and a loop, no recursion: begin, one model step, commit, begin, until nothing starts a step', async () => {
  const { turn, did, steps } = memoryTurn(['step', 'step', 'done'])
  const events = await all(runTurn(turn))
  expect(did).toEqual(['begin step', 'commit', 'begin step', 'commit', 'begin done'])
  expect(words(events)).toBe('Hello there.Hello there.')
  expect(events.at(-1)).toEqual({ type: 'end', end: { kind: 'done' } })
  expect(steps[0]).toMatchObject({ content: [{ type: 'text', text: 'Hello there.' }], calls: [] })
})

test.each(['done', 'parked', 'waiting'] as const)(
  'a turn that finds itself %s says so and does nothing',
  async kind => {
    const { turn, did } = memoryTurn([kind])
    expect(await all(runTurn(turn))).toEqual([{ type: 'end', end: { kind } }])
    expect(did).toEqual([`begin ${kind}`])
  }
)

test('our own calls run before the next step begins', async () => {
  const { turn, did } = memoryTurn(['tools', 'step', 'done'])
  await all(runTurn(turn))
  expect(did).toEqual(['begin tools', 'claim', 'begin step', 'commit', 'begin done'])
})

test('a stop in the middle of the words: no commit, and what was said is told, and owed', async () => {
  const { turn, did, stop, spent } = memoryTurn(['step'])
  const events: TurnEvent[] = []
  for await (const event of runTurn(turn)) {
    events.push(event)
    if (event.type === 'chunk' && event.chunk.type === 'text-delta') stop.abort('cancelled')
  }
  expect(did).toEqual(['begin step'])
  expect(events.at(-1)).toMatchObject({
    type: 'end',
    end: { kind: 'aborted', partial: expect.stringMatching(/^Hello/) }
  })
  expect(spent).toEqual([
    { usage: { inputTokens: 0, outputTokens: 0 }, said: expect.stringMatching(/^Hello/) }
  ])
})

test('a stop before anything: it never begins', async () => {
  const { turn, did, stop } = memoryTurn(['step'])
  stop.abort()
  expect(await all(runTurn(turn))).toEqual([{ type: 'end', end: { kind: 'aborted' } }])
  expect(did).toEqual([])
})

test('a model that fails is an end, not an exception, and nothing is committed', async () => {
  const model = { ...demoModel(), doStream: () => Promise.reject(new Error('no such luck')) }
  const { turn, did } = memoryTurn(['step'], { model: { open: () => model } })
  expect((await all(runTurn(turn))).at(-1)).toMatchObject({
    type: 'end',
    end: { kind: 'failed', error: { message: 'Error: no such luck' } }
  })
  expect(did).toEqual(['begin step'])
})

test('a step whose way of finishing is a problem is not committed', async () => {
  const { turn, did } = memoryTurn(['step'], {
    model: { describeFinish: () => ({ code: 'CUT', message: 'cut', retryable: true }) }
  })
  expect((await all(runTurn(turn))).at(-1)).toEqual({
    type: 'end',
    end: { kind: 'failed', error: { code: 'CUT', message: 'cut', retryable: true } }
  })
  expect(did).toEqual(['begin step'])
})

test('a lost lease goes through: the loop never catches it', async () => {
  const commit = () => Promise.reject(new LeaseLost(1))
  await expect(all(runTurn(memoryTurn(['step'], { commit }).turn))).rejects.toThrow(LeaseLost)
})
