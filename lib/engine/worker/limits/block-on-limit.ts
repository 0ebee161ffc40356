import { newId } from '@waystation/base/ids.ts'
import { addEntries, type NewEntry } from '#lib/engine/context/context-entries.ts'
import { consume, type WaitingItem } from '#lib/engine/inbox/drain.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { type StepStart, startMessage } from '#lib/engine/worker/begin-step/start-message.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Question } from './extensions.ts'
import { isContinueOpen, openContinue } from './turn-limit.ts'

/**
 * Stops a turn before its next step, because a spending cap is reached or an alarm met a limit. Moves the
 * input into the context for the step that starts when a person continues. A message that stayed in the inbox
 * would start one turn after another. Opens "continue?" in the current message of the agent, or in a new one
 * after the input. Requires the session's lock.
 */
export async function blockOnLimit(
  tx: Ctx,
  session: LockedSession,
  question: Question | undefined,
  { turn, writing, entries, items }: BlockedTurn
): Promise<void> {
  await addEntries(tx, session, entries)
  await consume(tx, items)
  if (question === undefined || (await isContinueOpen(tx, session))) return
  const messageId = writing ?? newId('msg')
  const turnId = session.turnId as string
  if (writing === null) {
    await startMessage(tx, session, turn, { messageId, isNew: true })
    await tx.sql`update turns set message_id = ${messageId} where id = ${turnId}`
  }
  await openContinue(tx, session, messageId, question)
  if (writing === null)
    append(tx, session, [{ type: 'chunk', messageId, turnId, chunk: { type: 'finish-step' } }])
}

/** The state of a turn that is stopped. `writing` is the message that it continues in; null if it needs a new one. */
type BlockedTurn = {
  turn: StepStart
  writing: string | null
  entries: readonly NewEntry[]
  items: readonly WaitingItem[]
}
