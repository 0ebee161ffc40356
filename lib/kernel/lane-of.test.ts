import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { eveIn, person } from '#tests/support/servers/actors.ts'
import { laneOf } from './lane-of.ts'

test('22 A4: an end user has one lane for all sessions, and people share the lane of their workspace', () => {
  const lane = (actor: Actor) => laneOf({ actor, workspaceId: 'default' } as Ctx)
  expect(lane(eveIn('one'))).toBe(lane(eveIn('two')))
  expect(lane({ ...eveIn('one'), subject: 'a b' } as Actor)).toBe('default a%20b')
  expect(lane(person('ann'))).toBe('default')
})
