import { together } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OobPriority, OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { WaitingItem } from './drain.ts'
import { type Facts, isAsked } from './next-action.ts'
import { type OobRow, wireOob } from './out-of-band-row.ts'

const priorities: readonly OobPriority[] = ['critical', 'high', 'normal', 'low']
const rankOf = ({ payload }: WaitingItem) => priorities.indexOf(payload.priority ?? 'normal')

/**
 * The out-of-band messages that the next step tells the agent, most urgent first (004-8, docs/concepts/engine.md#out-of-band). A step
 * tells everything but `low`. `low` goes along with a turn's first step, and when nothing more urgent started the step.
 */
export function drainOob(items: readonly WaitingItem[], facts: Facts): WaitingItem[] {
  const waiting = items
    .filter(({ kind }) => kind === 'oob')
    .sort((a, b) => rankOf(a) - rankOf(b) || a.id - b.id)
  const { critical, high, normal } = facts.news
  const all = facts.turn?.isNew || !(isAsked(facts) || critical || high || normal)
  return waiting.filter(({ payload }) => all || payload.priority !== 'low')
}

/** As it is once the step that tells it has begun. */
export const injected = (row: OobRow, at: string, messageId: string): OutOfBand => ({
  ...wireOob(row),
  status: 'injected',
  injectedAt: at,
  messageId
})

/** Notes that these are in the prompt now, in the transaction that puts them there, and shows it. The head is locked. */
export async function markInjected(tx: Ctx, head: LockedSession, told: readonly OutOfBand[]): Promise<void> {
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
