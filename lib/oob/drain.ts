import { together } from '#db/transaction.ts'
import { append } from '#lib/events/append.ts'
import type { Head } from '#lib/events/head.ts'
import type { WaitingItem } from '#lib/inbox/drain.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OobPriority, OutOfBand } from '#lib/protocol/out-of-band.ts'
import { type OobRow, wireOob } from './rows.ts'

/** Where a turn is when it looks for its next step. */
export type At = {
  firstStep: boolean
  /** The newest step has open calls: without a step the run parks. */
  open: boolean
  /** The turn failed and waits to be tried again. */
  retrying: boolean
  /** "continue?" is open or was refused. */
  atLimit: boolean
  /** Something else starts the step. */
  otherwise: boolean
}

const priorities: readonly OobPriority[] = ['critical', 'high', 'normal', 'low']
const rankOf = ({ payload }: WaitingItem) => priorities.indexOf(payload.priority ?? 'normal')

/**
 * Which out-of-band input the next step is told, most urgent first (004-8, docs/concepts/engine.md#out-of-band): none when no step starts. `starts`:
 * without it there would be no step.
 *
 * - While the turn would go on anyway: everything but `low`, and with its first step that too.
 * - Where it would end: what waits, `low` only when nothing more urgent does. No agent ends a turn over something it was sent
 *   while it worked.
 * - Where it would park, or waits to be tried again: from `high` on.
 */
export function drainOob(items: readonly WaitingItem[], at: At): { taken: WaitingItem[]; starts: boolean } {
  const waiting = items
    .filter(({ kind }) => kind === 'oob')
    .sort((a, b) => rankOf(a) - rankOf(b) || a.id - b.id)
  const urgent = waiting.filter(({ payload }) => payload.priority !== 'low')
  if (at.otherwise) return { taken: at.firstStep ? waiting : urgent, starts: false }
  const may = ({ payload }: WaitingItem) =>
    payload.resting !== true &&
    (payload.priority === 'critical' || payload.priority === 'high' || !(at.open || at.retrying))
  if (at.atLimit || !waiting.some(may)) return { taken: [], starts: false }
  return { taken: at.firstStep || !urgent.some(may) ? waiting : urgent, starts: true }
}

/** As it is once the step that tells it has begun. */
export const injected = (row: OobRow, at: string, messageId: string): OutOfBand => ({
  ...wireOob(row),
  status: 'injected',
  injectedAt: at,
  messageId
})

/** Notes that these are in the prompt now, in the transaction that puts them there, and shows it. The head is locked. */
export async function markInjected(tx: Ctx, head: Head, told: readonly OutOfBand[]): Promise<void> {
  const [first] = told
  if (first === undefined) return
  await together([
    tx.sql`
      update out_of_band set status = 'injected', injected_at = ${first.injectedAt ?? null},
        message_id = ${first.messageId ?? null}
      where session_key = ${head.sessionKey} and id = any(${told.map(({ id }) => id)})`,
    append(
      tx,
      head,
      told.map(message => ({ type: 'oob', message }))
    )
  ])
}
