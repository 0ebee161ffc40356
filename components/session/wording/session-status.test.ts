import { transcriptOf } from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import { now, type StateName, states } from '#tests/browser/fixtures/states.ts'
import { faceOf } from './session-status.ts'

const face = (name: StateName) => {
  const { snapshot, me, line } = states[name]
  return faceOf(transcriptOf(snapshot), {
    mayAnswer: me.may?.answer ?? true,
    approvers: me.approvers,
    offline: line === 'down',
    now: Date.parse(now)
  })
}

test.each<StateName>([
  'empty',
  'running',
  'parked',
  'parked-other',
  'both',
  'failed',
  'reconnecting',
  'not-mine'
])('the state %s has its own shape and a sentence', name => {
  expect(face(name)).toEqual({ kind: name, sentence: expect.any(String) })
})
