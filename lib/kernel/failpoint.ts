/**
 * Points in the code where a crash, a delay or an error has the worst effect:
 * - `after_lease_check`: a turn's transaction has confirmed its lease, and has written nothing.
 * - `before_commit`: the work is done, its last writes are not sent, and nothing is committed.
 * - `after_commit_before_reply`: everything is committed, and the client has no response yet.
 * - `after_effect_before_record`: a tool has run, and its result is not stored.
 * - `between_replay_and_live`: a client has the earlier events, and does not receive new ones yet.
 */
export const failpoints = [
  'after_lease_check',
  'before_commit',
  'after_commit_before_reply',
  'after_effect_before_record',
  'between_replay_and_live'
] as const
export type Failpoint = (typeof failpoints)[number]

/** Decides what happens at a failpoint: continue, continue later (a promise), or fail (throw). */
type Handler = (point: Failpoint) => Promise<void> | undefined

let handler: Handler = () => undefined

/** Does nothing in production. Chaos tests call `armFailpoints` before the server starts (`tests/chaos/arm-failpoints.ts`). */
export const failpoint: Handler = point => handler(point)

/** Sets the handler of all failpoints. For tests only. */
export function armFailpoints(newHandler: Handler): void {
  handler = newHandler
}
