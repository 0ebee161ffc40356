import type { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { WhenBusy } from '@waystation/protocol/session/session.ts'
import fc from 'fast-check'

/**
 * The kinds of calls that the model makes. `confirm` acknowledges the newest out-of-band message, if there is
 * one.
 */
export type CallOrigin = 'question' | 'approval' | 'external' | 'unknown' | 'confirm'

/**
 * One event for a session or for the processes. `pick` selects among the candidates at run time (a call, a
 * queued message), so that a schedule stays valid when fast-check removes parts of it.
 */
export type Command =
  | { do: 'send'; mode: WhenBusy }
  | { do: 'send again' }
  | { do: 'take back'; pick: number }
  | { do: 'model says'; calls: readonly CallOrigin[] }
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
  /** Makes finished messages old enough for compaction. */
  | { do: 'compact' }

/** A command and the index of its session. */
export type Scheduled = { in: number } & Command
/** The number of sessions in a schedule. */
export const sessions = 2

const pick = fc.nat({ max: 9 })
const callKind = fc.constantFrom<CallOrigin>(
  'question',
  'question',
  'approval',
  'external',
  'unknown',
  'confirm'
)
const doing = <Name extends Command['do']>(name: Name) => fc.constant(name)

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: doing('send'), mode: modes() }) },
  { weight: 1, arbitrary: fc.record({ do: doing('send again') }) },
  { weight: 2, arbitrary: fc.record({ do: doing('take back'), pick }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: doing('model says'), calls: fc.array(callKind, { maxLength: 3 }) })
  },
  { weight: 2, arbitrary: fc.record({ do: doing('model fails'), passes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: doing('retry now') }) },
  { weight: 1, arbitrary: fc.record({ do: doing('retry comes') }) },
  { weight: 7, arbitrary: fc.record({ do: doing('answer'), pick, no: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: doing('answer again') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: doing('extend'), pick, seconds: fc.constantFrom(60, 86_400, 29 * 86_400) })
  },
  { weight: 2, arbitrary: fc.record({ do: doing('deadline'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: doing('answer too late'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: doing('cancel call'), pick }) },
  { weight: 3, arbitrary: fc.record({ do: doing('cancel'), calls: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: doing('out of band'),
      priority: fc.constantFrom<OobPriority>('low', 'normal', 'high', 'critical'),
      abort: fc.integer({ min: 0, max: 5 }).map(n => n === 5)
    })
  },
  { weight: 1, arbitrary: fc.record({ do: doing('take oob back'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: doing('oob expires') }) },
  { weight: 1, arbitrary: fc.record({ do: doing('delete and revive') }) },
  { weight: 2, arbitrary: fc.record({ do: doing('owner dies') }) },
  { weight: 1, arbitrary: fc.record({ do: doing('reader leaves') }) },
  { weight: 2, arbitrary: fc.record({ do: doing('reader comes back') }) },
  { weight: 2, arbitrary: fc.record({ do: doing('compact') }) }
)

function modes(): fc.Arbitrary<WhenBusy> {
  return fc.constantFrom<WhenBusy>('reject', 'queue', 'queue', 'steer', 'steer', 'interrupt')
}

/**
 * Generates a schedule for a few sessions. Deploys are rare, because one takes longer than all other commands
 * together.
 */
export const schedule: fc.Arbitrary<Scheduled[]> = fc.array(
  fc
    .tuple(
      fc.nat({ max: sessions - 1 }),
      fc.oneof(
        { weight: 60, arbitrary: command },
        { weight: 1, arbitrary: fc.record({ do: doing('deploy') }) }
      )
    )
    .map(([session, action]) => ({ in: session, ...action })),
  { minLength: 1, maxLength: 40, size: 'max' }
)
