import { newId } from '@waystation/base/ids.ts'
import type { Chunk, LoggedEvent, TurnOutcome } from '@waystation/protocol/session/event.ts'
import type { Notice, UserPart } from '@waystation/protocol/session/message.ts'
import { addEntries, addEntry } from '#lib/engine/context/context-entries.ts'
import { unfinishedStep } from '#lib/engine/context/read-unfinished-step.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { consume, drain, waitingItems } from '#lib/engine/inbox/drain.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answeredCalls, lateAnswer } from './begin-step/answered-calls.ts'
import { placed, placeMessages, waitingMessages } from './begin-step/place-messages.ts'
import { note, userEntry } from './begin-step/step-notes.ts'
import { deferOpenCalls } from './defer.ts'
import type { Ending } from './ending.ts'

/**
 * Moves a message whose turn was stopped before its first step into the context, so the next turn sees it. A
 * cancel also consumes waiting answers and retries and defers open calls, so only later input starts a step.
 * Requires the session's lock.
 */
export async function persistUnconsumed(
  ctx: Ctx,
  session: LockedSession,
  turnId: string,
  outcome: TurnOutcome
): Promise<void> {
  const { messages, answers, retries, yields } = drain(await waitingItems(ctx, session.sessionKey), {
    firstStep: true
  })
  const turnMessages = messages.filter(item => item.mode === 'start' || item.mode === 'steer')
  const placedMessages = placed(turnMessages, await waitingMessages(ctx, session.sessionKey), session.now)
  placeMessages(ctx, session, placedMessages)
  for (const item of turnMessages) {
    const parts = (item.payload.parts ?? []) as UserPart[]
    const { metadata } = placedMessages.find(({ id }) => id === item.messageId)?.message ?? {}
    await addEntry(ctx, session, userEntry(turnId, item.messageId, parts, metadata))
  }
  await consume(ctx, turnMessages)
  if (outcome !== 'cancelled') return
  const answered = await answeredCalls(ctx, session, answers)
  await addEntries(ctx, session, [
    ...answered.filter(call => call.deferredAt !== null).map(call => lateAnswer(call, turnId)),
    stopNote(turnId)
  ])
  await consume(ctx, [
    ...answers.filter(item =>
      answered.some(call => call.toolCallId === item.toolCallId && call.kind !== 'limit')
    ),
    ...retries,
    ...yields
  ])
  await deferOpenCalls(ctx, session)
}

/** Returns the note for the model after a stop. */
const stopNote = (turnId: string) => note(turnId, 'The user stopped you at this point.')

/** Ends a turn's message: shows the error or the stop, and stores the partial text. Requires the session's lock. */
export async function closeMessage(
  ctx: Ctx,
  session: LockedSession,
  messageId: string,
  turnId: string,
  ending: Ending,
  /** True if a step was started and not committed. */
  live: boolean
): Promise<void> {
  const chunks: LoggedEvent[] = []
  const write = (chunk: Chunk) => chunks.push({ type: 'chunk', messageId, turnId, chunk })
  if (ending.outcome === 'failed' && ending.error !== undefined) {
    chunks.push(...dropStep(messageId, turnId, { kind: 'failed', ...ending.error, turnId }, live))
  }
  if (ending.outcome === 'cancelled' || ending.outcome === 'interrupted') {
    // A live owner reports its partial text. For a dead owner, it is read from the log.
    const unfinished = live ? await unfinishedStep(ctx, session.sessionKey, messageId) : undefined
    const partial = ending.partial ?? unfinished?.text ?? ''
    for (const end of unfinished?.ends ?? []) write(end)
    if (partial.trim() !== '') {
      const content = [{ type: 'text', text: partial }]
      await addEntry(ctx, session, {
        kind: 'step',
        turnId,
        messageId,
        payload: { content, callIds: [] },
        tokens: countTokens(partial)
      })
    }
    if (ending.outcome === 'interrupted' && partial) await addEntry(ctx, session, stopNote(turnId))
    const stoppedBy = ending.outcome === 'interrupted' ? 'interrupt' : 'person'
    write({ type: 'data-notice', id: newId('notice'), data: { kind: 'stopped', by: stoppedBy } })
    write({ type: 'finish-step' })
  }
  if (ending.outcome !== 'parked') write({ type: 'finish' })
  append(ctx, session, chunks)
  await refold(ctx, session, messageId, { done: ending.outcome !== 'parked' })
}

/** Returns the events that show the error of a failed step. The output of an uncommitted step is removed. */
export const dropStep = (messageId: string, turnId: string, notice: Notice, live: boolean): LoggedEvent[] => [
  ...(live ? [{ type: 'chunk' as const, messageId, turnId, chunk: { type: 'reset-step' as const } }] : []),
  { type: 'chunk', messageId, turnId, chunk: { type: 'data-notice', id: `notice_${turnId}`, data: notice } },
  { type: 'chunk', messageId, turnId, chunk: { type: 'finish-step' } }
]
