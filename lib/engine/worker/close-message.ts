import { together } from '#db/transaction.ts'
import { deferOpenCalls } from '#lib/engine/calls/defer.ts'
import { callsOfMessage } from '#lib/engine/calls/read-calls.ts'
import { addEntries, addEntry } from '#lib/engine/context/context-entries.ts'
import { countPartTokens } from '#lib/engine/context/count-part-tokens.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { unfinishedStep } from '#lib/engine/context/unfinished.ts'
import { consume, drain, waitingItems } from '#lib/engine/inbox/drain.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { Chunk, LoggedEvent, TurnOutcome } from '#lib/protocol/session/event.ts'
import type { Notice, UserPart } from '#lib/protocol/session/message.ts'
import { answeredCalls, lateAnswer } from './begin-step/answered-calls.ts'
import { messagesOf, placed, placeMessages } from './begin-step/place-messages.ts'
import { note } from './begin-step/step-notes.ts'
import type { Ending } from './end-turn.ts'

/**
 * A message whose turn was stopped before its first step stays in the conversation: the next turn sees it. A cancel takes
 * in what else waits (answers, retries), and defers what is open: only what comes after it starts a step.
 */
export async function persistUnconsumed(
  ctx: Ctx,
  head: LockedSession,
  turnId: string,
  outcome: TurnOutcome
): Promise<void> {
  const { messages, answers, retries, yields } = drain(await waitingItems(ctx, head), { firstStep: true })
  const own = messages.filter(item => item.mode === 'start' || item.mode === 'steer')
  const read = placed(own, await messagesOf(ctx, head, own), head.now)
  await placeMessages(ctx, head, read)
  for (const item of own) {
    const parts = (item.payload.parts ?? []) as UserPart[]
    const tokens = countPartTokens(parts)
    const { duration } = read.find(({ id }) => id === item.messageId)?.message.metadata ?? {}
    await addEntry(ctx, head, {
      kind: 'user',
      turnId,
      ...(item.messageId ? { messageId: item.messageId } : {}),
      payload: { parts, ...(duration === undefined ? {} : { duration }) },
      tokens
    })
  }
  await consume(ctx, own)
  if (outcome !== 'cancelled') return
  const answered = await answeredCalls(ctx, head, answers)
  await addEntries(ctx, head, [
    ...answered.filter(call => call.deferredAt !== null).map(call => lateAnswer(call, turnId)),
    stopped(turnId)
  ])
  await consume(ctx, [
    ...answers.filter(item =>
      answered.some(call => call.toolCallId === item.toolCallId && call.kind !== 'limit')
    ),
    ...retries,
    ...yields
  ])
  await deferOpenCalls(ctx, head)
}

/** The note for the model after a stop. */
const stopped = (turnId: string) => note(turnId, 'The user stopped you at this point.')

/** The last words of a turn in its message: what went wrong, or that it was stopped. */
export async function closeMessage(
  ctx: Ctx,
  head: LockedSession,
  messageId: string,
  turnId: string,
  ending: Ending,
  /** A step was begun and not committed: it is dropped. */
  live: boolean
): Promise<void> {
  const chunks: LoggedEvent[] = []
  const write = (chunk: Chunk) => chunks.push({ type: 'chunk', messageId, turnId, chunk })
  if (ending.outcome === 'failed' && ending.error !== undefined) {
    chunks.push(...dropStep(messageId, turnId, { kind: 'failed', ...ending.error, turnId }, live))
  }
  if (ending.outcome === 'cancelled' || ending.outcome === 'interrupted') {
    // An owner that lives says what it had said; for a dead one the log does.
    const cut = live ? await unfinishedStep(ctx, head.sessionKey, messageId) : undefined
    const partial = ending.partial ?? cut?.text ?? ''
    for (const end of cut?.ends ?? []) write(end)
    if (partial.trim() !== '') {
      const content = [{ type: 'text', text: partial }]
      await addEntry(ctx, head, {
        kind: 'step',
        turnId,
        messageId,
        payload: { content, callIds: [] },
        tokens: countTokens(partial)
      })
    }
    if (ending.outcome === 'interrupted' && partial) await addEntry(ctx, head, stopped(turnId))
    const by = ending.outcome === 'interrupted' ? 'interrupt' : 'person'
    write({ type: 'data-notice', id: newId('notice'), data: { kind: 'stopped', by } })
    write({ type: 'finish-step' })
  }
  if (ending.outcome !== 'parked') write({ type: 'finish' })
  const [calls] = await together([callsOfMessage(ctx, head.sessionKey, messageId), append(ctx, head, chunks)])
  await refold(ctx, head, messageId, calls, { done: ending.outcome !== 'parked' })
}

/** A failed step leaves no half sentence: its parts are dropped and the reason stands instead. */
export const dropStep = (messageId: string, turnId: string, notice: Notice, live: boolean): LoggedEvent[] => [
  ...(live ? [{ type: 'chunk' as const, messageId, turnId, chunk: { type: 'reset-step' as const } }] : []),
  { type: 'chunk', messageId, turnId, chunk: { type: 'data-notice', id: `notice_${turnId}`, data: notice } },
  { type: 'chunk', messageId, turnId, chunk: { type: 'finish-step' } }
]
