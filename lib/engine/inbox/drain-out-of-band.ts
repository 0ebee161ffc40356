import type { OobPriority, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { observer } from '#lib/kernel/ports/observer.ts'
import type { WaitingItem } from './drain.ts'
import { type Facts, isRequested } from './next-action.ts'
import { type OobRow, wireOob } from './out-of-band-row.ts'

const priorities: readonly OobPriority[] = ['critical', 'high', 'normal', 'low']
const rankOf = ({ payload }: WaitingItem) => priorities.indexOf(payload.priority ?? 'normal')

/**
 * Returns the out-of-band messages that the next step takes in, most urgent first (004-8,
 * docs/concepts/engine.md#out-of-band). A step takes in all priorities except `low`. It takes in `low` if it
 * is the first step of a turn, or if nothing more urgent started it.
 */
export function drainOob(items: readonly WaitingItem[], facts: Facts): WaitingItem[] {
  const waiting = items
    .filter(({ kind }) => kind === 'oob')
    .sort((a, b) => rankOf(a) - rankOf(b) || a.id - b.id)
  const { critical, high, normal } = facts.outOfBand
  const includesLow = facts.turn?.isNew || !(isRequested(facts) || critical || high || normal)
  return waiting.filter(({ payload }) => includesLow || payload.priority !== 'low')
}

/** Returns the message as it is once a step has taken it in. */
export const injected = (row: OobRow, at: string, messageId: string): OutOfBand => ({
  ...wireOob(row),
  status: 'injected',
  injectedAt: at,
  messageId
})

/**
 * Marks messages as injected and shows them, in the transaction that adds them to the prompt. Requires the
 * session's lock.
 */
export async function markInjected(
  tx: Ctx,
  session: LockedSession,
  messages: readonly OutOfBand[]
): Promise<void> {
  const [first] = messages
  if (first === undefined) return
  const events = messages.map(message => ({ type: 'oob' as const, message }))
  append(tx, session, events)
  tx.afterCommit(() => observer().outOfBand('delivered', messages))
  await tx.sql`
    update out_of_band set status = 'injected', injected_at = ${first.injectedAt ?? null},
      message_id = ${first.messageId ?? null}
    where session_key = ${session.sessionKey} and id = any(${messages.map(({ id }) => id)})`
}
