import { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { factsWith, pendingOutOfBand } from '#tests/support/fakes/facts.ts'
import type { WaitingItem } from './drain.ts'
import { drainOob } from './drain-out-of-band.ts'

const items = OobPriority.options.map(
  (priority, id) =>
    ({ id, itemId: priority, kind: 'oob', payload: { priority, resting: false } }) as WaitingItem
)
const turn = { isNew: false, isCutOff: false, isRetrying: false }
const drainedIds = (waiting: readonly WaitingItem[], facts: Parameters<typeof factsWith>[0]) =>
  drainOob(waiting, factsWith({ outOfBand: pendingOutOfBand(waiting), turn, ...facts })).map(
    ({ itemId }) => itemId
  )

test('a step drains all priorities except low, most urgent first', () => {
  expect(drainedIds(items, { results: true })).toEqual(['critical', 'high', 'normal'])
  expect(drainedIds(items, {})).toEqual(['critical', 'high', 'normal'])
})

test('low is drained by the first step of a turn, or if nothing more urgent started the step', () => {
  const lows = items.filter(({ itemId }) => itemId === 'low')
  expect(drainedIds(items, { turn: { ...turn, isNew: true } })).toEqual(['critical', 'high', 'normal', 'low'])
  expect(drainedIds(lows, {})).toEqual(['low'])
  expect(drainedIds(lows, { results: true })).toEqual([])
})

test('a message that starts no step is drained by a step that starts for another reason', () => {
  const resting = items.map(item => ({ ...item, payload: { ...item.payload, resting: true } }))
  expect(drainedIds(resting, { results: true })).toEqual(['critical', 'high', 'normal'])
})
