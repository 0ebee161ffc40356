import { newId } from '@waystation/base/ids.ts'
import type { RanOn } from '@waystation/protocol/agent/agent-revision.ts'
import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Chunk, LoggedEvent } from '@waystation/protocol/session/event.ts'
import type { Message, MessageMetadata } from '@waystation/protocol/session/message.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { unfinishedStep } from '#lib/engine/context/read-unfinished-step.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * The state of the turn before a new step: the message that it wrote to, the start of a step that was cut
 * off, and the current time.
 */
export type StepStart = {
  messageId: string | null
  beganAt: string | null
  cutOff: boolean
  now: string
  /** The message that a parked turn left open. A new message completes it. */
  parked: string | null
}

type StepMessage = {
  messageId: string
  isNew: boolean
  oobs?: readonly OutOfBand[]
  ranOn?: RanOn
  shown?: RanOn | null
  handed?: HandOff | null
}

/**
 * Shows the start of a step, in the message that it continues or in a new one. The output of a step that was
 * cut off is removed (`reset-step`) and shown as interrupted. It was never committed, so the prompt does not
 * contain it. Requires the session's lock.
 *
 * - `oobs`: the out-of-band messages that the step takes in, shown here
 * - `ranOn`: the agent and revision of the step, stored in the message's metadata
 * - `shown`: the agent and revision that the message already shows
 * - `handed`: the handoff that makes another agent speak from here on
 */
export async function startMessage(
  tx: Ctx,
  session: LockedSession,
  turn: StepStart,
  { messageId, isNew, oobs = [], ranOn, shown, handed = null }: StepMessage
): Promise<void> {
  const turnId = session.turnId as string
  const chunks: LoggedEvent[] = []
  const write = (chunk: Chunk, messageId: string) => chunks.push({ type: 'chunk', messageId, turnId, chunk })

  if (turn.cutOff && turn.messageId !== null) {
    const { text: partialText, lastAt } = await unfinishedStep(tx, session.sessionKey, turn.messageId)
    // The interruption starts at the last chunk.
    const since = lastAt ?? turn.beganAt
    const seconds = since === null ? 0 : Math.round((Date.parse(turn.now) - Date.parse(since)) / 1000)
    write({ type: 'reset-step' }, turn.messageId)
    write(
      { type: 'data-notice', id: newId('notice'), data: { kind: 'restarted', partialText, seconds } },
      turn.messageId
    )
    write({ type: 'finish-step' }, turn.messageId)
  }
  // The previous message is completed without another chunk. A chunk after the user's message would be its
  // last one, and compaction places a message at its last chunk.
  const ended = isNew ? (turn.messageId ?? turn.parked) : null
  const metadata = {
    createdAt: turn.now,
    turnId,
    ...(ranOn === undefined ? {} : ranBy(session, ranOn, null))
  }
  const handOff =
    handed === null ? [] : [{ type: 'data-handoff' as const, id: newId('handoff'), data: handed }]
  if (isNew) write({ type: 'start', messageId, messageMetadata: metadata }, messageId)
  else if (ranOn !== undefined && (ranOn.revision !== shown?.revision || ranOn.agentId !== shown.agentId)) {
    const messageMetadata = ranBy(session, ranOn, shown) as MessageMetadata
    write({ type: 'message-metadata', messageMetadata }, messageId)
  }
  for (const part of handOff) write(part, messageId)
  for (const outOfBand of oobs) write({ type: 'data-oob', id: outOfBand.id, data: outOfBand }, messageId)
  write({ type: 'start-step' }, messageId)
  append(tx, session, chunks)
  if (!isNew) {
    // "Retry now" continues a completed message. The message is live again and must not be compacted.
    const reopened = tx.sql`
      update messages set done = false, done_at = null, compacted_at = null
      where session_key = ${session.sessionKey} and id = ${messageId} and done`
    return tx.beforeCommit(reopened.execute())
  }
  const message: Message = {
    id: messageId,
    role: 'assistant',
    metadata,
    parts: [...handOff, ...oobs.map(partOf), { type: 'step-start' }]
  }
  tx.beforeCommit(addMessage(tx, session, message, session.seq))
  if (ended !== null) await refold(tx, session, ended, { done: true })
}

/**
 * Returns the metadata for the agent and revision of a step. The agent is included only if it is not, or was
 * not, the session's own.
 */
const ranBy = (session: LockedSession, { agentId, revision }: RanOn, shown: RanOn | null | undefined) => ({
  revision,
  ...(agentId === session.agentId && (shown?.agentId ?? agentId) === agentId ? {} : { agentId })
})

const partOf = (messages: OutOfBand) => ({ type: 'data-oob' as const, id: messages.id, data: messages })
