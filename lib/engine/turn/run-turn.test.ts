import { demoModel } from '@waystation/demo-model'
import { expect, test } from 'vitest'
import { LeaseLost } from '#lib/engine/log/session-lock.ts'
import { memoryTurn } from '#tests/support/servers/memory-turn.ts'
import { runTurn } from './run-turn.ts'
import type { TurnEvent } from './turn.ts'

async function all(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const list: TurnEvent[] = []
  for await (const event of events) list.push(event)
  return list
}
const textOf = (events: TurnEvent[]) =>
  events
    .flatMap(event =>
      event.type === 'chunk' && event.chunk.type === 'text-delta' ? [event.chunk.delta] : []
    )
    .join('')

test('001-1, 001-13: the loop is an async generator that repeats begin, model step and commit until nothing starts a step', async () => {
  const { turn, actions, steps } = memoryTurn(['step', 'step', 'done'])
  const events = await all(runTurn(turn))
  expect(actions).toEqual(['begin step', 'commit', 'begin step', 'commit', 'begin done'])
  expect(textOf(events)).toBe('Hello there.Hello there.')
  expect(events.at(-1)).toEqual({ type: 'end', end: { kind: 'done' } })
  expect(steps[0]).toMatchObject({ content: [{ type: 'text', text: 'Hello there.' }], calls: [] })
})

test.each(['done', 'parked', 'waiting'] as const)(
  'a turn that is %s ends with this and does nothing',
  async kind => {
    const { turn, actions } = memoryTurn([kind])
    expect(await all(runTurn(turn))).toEqual([{ type: 'end', end: { kind } }])
    expect(actions).toEqual([`begin ${kind}`])
  }
)

test('server calls run before the next step starts', async () => {
  const { turn, actions } = memoryTurn(['tools', 'step', 'done'])
  await all(runTurn(turn))
  expect(actions).toEqual(['begin tools', 'claim', 'begin step', 'commit', 'begin done'])
})

test('a stop during the output commits nothing, returns the partial text and bills it', async () => {
  const { turn, actions, stop, spent } = memoryTurn(['step'])
  const events: TurnEvent[] = []
  for await (const event of runTurn(turn)) {
    events.push(event)
    if (event.type === 'chunk' && event.chunk.type === 'text-delta') stop.abort('cancelled')
  }
  expect(actions).toEqual(['begin step'])
  expect(events.at(-1)).toMatchObject({
    type: 'end',
    end: { kind: 'aborted', partial: expect.stringMatching(/^Hello/) }
  })
  expect(spent).toEqual([
    { usage: { inputTokens: 0, outputTokens: 0 }, text: expect.stringMatching(/^Hello/) }
  ])
})

test('a turn that is stopped before it starts does nothing', async () => {
  const { turn, actions, stop } = memoryTurn(['step'])
  stop.abort()
  expect(await all(runTurn(turn))).toEqual([{ type: 'end', end: { kind: 'aborted' } }])
  expect(actions).toEqual([])
})

test('a model error ends the turn without an exception, and nothing is committed', async () => {
  const model = { ...demoModel(), doStream: () => Promise.reject(new Error('no such luck')) }
  const { turn, actions } = memoryTurn(['step'], { model: { open: () => model } })
  expect((await all(runTurn(turn))).at(-1)).toMatchObject({
    type: 'end',
    end: { kind: 'failed', error: { message: 'Error: no such luck' } }
  })
  expect(actions).toEqual(['begin step'])
})

test('a step whose finish reason is a problem is not committed', async () => {
  const { turn, actions } = memoryTurn(['step'], {
    model: { describeFinish: () => ({ code: 'CUT', message: 'cut', retryable: true }) }
  })
  expect((await all(runTurn(turn))).at(-1)).toEqual({
    type: 'end',
    end: { kind: 'failed', error: { code: 'CUT', message: 'cut', retryable: true } }
  })
  expect(actions).toEqual(['begin step'])
})

test('the loop never catches a lost lease', async () => {
  const commit = () => Promise.reject(new LeaseLost(1))
  await expect(all(runTurn(memoryTurn(['step'], { commit }).turn))).rejects.toThrow(LeaseLost)
})
