/**
 * Moments between two things that belong together, where a crash, a wait or an error is at its worst:
 *
 * - `after_lease_check`: a turn's transaction knows that the session is its own, and has written nothing.
 * - `before_commit`: everything is written, nothing is committed.
 * - `after_commit_before_reply`: it is committed, and nobody was told.
 * - `after_effect_before_record`: a tool did what it does, and its result is nowhere.
 * - `between_replay_and_live`: a reader has what was there when it came, and does not hear yet what comes.
 */
export const failpoints = [
  'after_lease_check',
  'before_commit',
  'after_commit_before_reply',
  'after_effect_before_record',
  'between_replay_and_live'
] as const
export type Failpoint = (typeof failpoints)[number]

/** What becomes of whoever passes: goes on, goes on later, or fails. */
type Pass = (point: Failpoint) => Promise<void> | undefined

let pass: Pass = () => undefined

/** Nothing, but in a test build: one that had `armFailpoints` called before it began (`tests/chaos/armed.ts`). */
export const failpoint: Pass = point => pass(point)

export function armFailpoints(how: Pass): void {
  pass = how
}
