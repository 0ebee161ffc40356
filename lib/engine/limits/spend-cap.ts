import { addEntries, type NewEntry } from '#lib/engine/context/context-entries.ts'
import { consume, type WaitingItem } from '#lib/engine/inbox/drain.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { type StepStart, startMessage } from '#lib/engine/worker/begin-step/start-message.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { isAsked, openContinue, type Question } from './turn-limit.ts'

/**
 * A spending cap keeps the turn from its next step, or an alarm met a limit. What came in is kept for the step that is begun
 * when somebody continues (a message that waited in the inbox would start turn after turn), and "continue?" opens in the message
 * that is being written, or in a new one behind the message that came.
 */
export async function blockOnLimit(
  tx: Ctx,
  head: LockedSession,
  question: Question | undefined,
  { turn, writing, entries, items }: HeldBack
): Promise<void> {
  await addEntries(tx, head, entries)
  await consume(tx, items)
  if (question === undefined || (await isAsked(tx, head))) return
  const messageId = writing ?? newId('msg')
  const turnId = head.turnId as string
  if (writing === null) {
    await startMessage(tx, head, turn, { messageId, isNew: true })
    await tx.sql`update turns set message_id = ${messageId} where id = ${turnId}`
  }
  await openContinue(tx, head, messageId, question)
  if (writing === null)
    await append(tx, head, [{ type: 'chunk', messageId, turnId, chunk: { type: 'finish-step' } }])
}

/** What a turn that is held back had before it. `writing`: the message it goes on in; null: it needs one of its own. */
type HeldBack = {
  turn: StepStart
  writing: string | null
  entries: readonly NewEntry[]
  items: readonly WaitingItem[]
}
