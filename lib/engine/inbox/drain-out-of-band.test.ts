import { expect, test } from 'vitest'
import { OobPriority } from '#lib/protocol/out-of-band/out-of-band.ts'
import { factsWith, newsIn } from '#tests/support/fakes/facts.ts'
import type { WaitingItem } from './drain.ts'
import { drainOob } from './drain-out-of-band.ts'

const items = OobPriority.options.map(
  (priority, id) =>
    ({ id, itemId: priority, kind: 'oob', payload: { priority, resting: false } }) as WaitingItem
)
const turn = { isNew: false, isCutOff: false, isRetrying: false }
const told = (some: readonly WaitingItem[], facts: Parameters<typeof factsWith>[0]) =>
  drainOob(some, factsWith({ news: newsIn(some), turn, ...facts })).map(({ itemId }) => itemId)

test('a step tells the agent everything but low, most urgent first', () => {
  expect(told(items, { results: true })).toEqual(['critical', 'high', 'normal'])
  expect(told(items, {})).toEqual(['critical', 'high', 'normal'])
})

test('low goes along with the first step of a turn, and when nothing more urgent started the step', () => {
  const lows = items.filter(({ itemId }) => itemId === 'low')
  expect(told(items, { turn: { ...turn, isNew: true } })).toEqual(['critical', 'high', 'normal', 'low'])
  expect(told(lows, {})).toEqual(['low'])
  expect(told(lows, { results: true })).toEqual([])
})

test('what starts nothing by itself is told with a step that starts for another reason', () => {
  const resting = items.map(item => ({ ...item, payload: { ...item.payload, resting: true } }))
  expect(told(resting, { results: true })).toEqual(['critical', 'high', 'normal'])
})
