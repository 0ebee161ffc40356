import fc from 'fast-check'
import type { OobPriority } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { WhenBusy } from '#lib/protocol/session/session.ts'

/** The kinds of calls that the model makes; `confirm` says that it saw the newest out-of-band message, if there is one. */
export type Made = 'question' | 'approval' | 'external' | 'unknown' | 'confirm'

/**
 * One thing that happens to a session, or to the processes. `pick` chooses among what is there when its time has come (a
 * call, a queued message), so that a schedule stays one when some of it is left out.
 */
export type Command =
  | { do: 'send'; mode: WhenBusy }
  | { do: 'send again' }
  | { do: 'take back'; pick: number }
  | { do: 'model says'; calls: readonly Made[] }
  | { do: 'model fails'; passes: boolean }
  | { do: 'retry now' }
  | { do: 'retry comes' }
  | { do: 'answer'; pick: number; no: boolean }
  | { do: 'answer again' }
  | { do: 'extend'; pick: number; seconds: number }
  | { do: 'deadline'; pick: number }
  | { do: 'answer too late'; pick: number }
  | { do: 'cancel call'; pick: number }
  | { do: 'cancel'; calls: boolean }
  | { do: 'out of band'; priority: OobPriority; abort: boolean }
  | { do: 'take oob back'; pick: number }
  | { do: 'oob expires' }
  | { do: 'delete and revive' }
  | { do: 'owner dies' }
  | { do: 'deploy' }
  | { do: 'reader leaves' }
  | { do: 'reader comes back' }
  /** What was finished is old enough to be compacted. */
  | { do: 'compact' }

/** A command, and the session that it is for. */
export type Scheduled = { in: number } & Command
export const sessions = 2

const pick = fc.nat({ max: 9 })
const made = fc.constantFrom<Made>('question', 'question', 'approval', 'external', 'unknown', 'confirm')
const is = <Name extends Command['do']>(name: Name) => fc.constant(name)

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: is('send'), mode: modes() }) },
  { weight: 1, arbitrary: fc.record({ do: is('send again') }) },
  { weight: 2, arbitrary: fc.record({ do: is('take back'), pick }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: is('model says'), calls: fc.array(made, { maxLength: 3 }) })
  },
  { weight: 2, arbitrary: fc.record({ do: is('model fails'), passes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: is('retry now') }) },
  { weight: 1, arbitrary: fc.record({ do: is('retry comes') }) },
  { weight: 7, arbitrary: fc.record({ do: is('answer'), pick, no: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: is('answer again') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: is('extend'), pick, seconds: fc.constantFrom(60, 86_400, 29 * 86_400) })
  },
  { weight: 2, arbitrary: fc.record({ do: is('deadline'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: is('answer too late'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: is('cancel call'), pick }) },
  { weight: 3, arbitrary: fc.record({ do: is('cancel'), calls: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: is('out of band'),
      priority: fc.constantFrom<OobPriority>('low', 'normal', 'high', 'critical'),
      abort: fc.integer({ min: 0, max: 5 }).map(n => n === 5)
    })
  },
  { weight: 1, arbitrary: fc.record({ do: is('take oob back'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: is('oob expires') }) },
  { weight: 1, arbitrary: fc.record({ do: is('delete and revive') }) },
  { weight: 2, arbitrary: fc.record({ do: is('owner dies') }) },
  { weight: 1, arbitrary: fc.record({ do: is('reader leaves') }) },
  { weight: 2, arbitrary: fc.record({ do: is('reader comes back') }) },
  { weight: 2, arbitrary: fc.record({ do: is('compact') }) }
)

function modes(): fc.Arbitrary<WhenBusy> {
  return fc.constantFrom<WhenBusy>('reject', 'queue', 'queue', 'steer', 'steer', 'interrupt')
}

/** A schedule for a few sessions. A deploy is rare: it takes longer than everything else together. */
export const schedule: fc.Arbitrary<Scheduled[]> = fc.array(
  fc
    .tuple(
      fc.nat({ max: sessions - 1 }),
      fc.oneof({ weight: 60, arbitrary: command }, { weight: 1, arbitrary: fc.record({ do: is('deploy') }) })
    )
    .map(([session, one]) => ({ in: session, ...one })),
  { minLength: 1, maxLength: 40, size: 'max' }
)
