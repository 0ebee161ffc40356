import { together } from '#db/transaction.ts'
import { callsOfMessage } from '#lib/engine/calls/read-calls.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { unfinishedStep } from '#lib/engine/context/unfinished.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { RanOn } from '#lib/protocol/agent/agent-revision.ts'
import type { HandOff } from '#lib/protocol/agent/hand-off.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { Chunk, LoggedEvent } from '#lib/protocol/session/event.ts'
import type { Message, MessageMetadata } from '#lib/protocol/session/message.ts'

/** What a new step needs to know of its turn: the message it wrote to, when its cut-off step began, and the time. */
export type StepStart = {
  messageId: string | null
  beganAt: string | null
  cutOff: boolean
  now: string
  /** A message that was left open when its turn parked: a new one ends it. */
  parked: string | null
}

type Started = {
  messageId: string
  isNew: boolean
  told?: readonly OutOfBand[]
  ranOn?: RanOn
  shown?: RanOn | null
  handed?: HandOff | null
}

/**
 * Starts the step in the message it writes to: the one it continues, or a new one. What a cut-off step had written is
 * dropped (`reset-step`), shown as interrupted, and is not in the prompt, since it was never committed. `told`: the
 * out-of-band messages that the model is told with it, shown at this place. `ranOn`: what the step runs on, which the
 * message says; `shown`: what it says already. `handed`: the hand-over by which another agent speaks from here on.
 */
export async function startMessage(
  tx: Ctx,
  head: LockedSession,
  turn: StepStart,
  { messageId, isNew, told = [], ranOn, shown, handed = null }: Started
): Promise<void> {
  const turnId = head.turnId as string
  const chunks: LoggedEvent[] = []
  const write = (chunk: Chunk, messageId: string) => chunks.push({ type: 'chunk', messageId, turnId, chunk })

  if (turn.cutOff && turn.messageId !== null) {
    const { text: partialText, lastAt } = await unfinishedStep(tx, head.sessionKey, turn.messageId)
    // From its last sign of life.
    const since = lastAt ?? turn.beganAt
    const seconds = since === null ? 0 : Math.round((Date.parse(turn.now) - Date.parse(since)) / 1000)
    write({ type: 'reset-step' }, turn.messageId)
    write(
      { type: 'data-notice', id: newId('notice'), data: { kind: 'restarted', partialText, seconds } },
      turn.messageId
    )
    write({ type: 'finish-step' }, turn.messageId)
  }
  // The message before is over without another chunk: one here, behind a person's message, would be its last, and
  // compaction puts a message where its last chunk was.
  const ended = isNew ? (turn.messageId ?? turn.parked) : null
  const metadata = {
    createdAt: turn.now,
    turnId,
    ...(ranOn === undefined ? {} : ranBy(head, ranOn, null))
  }
  const handOff =
    handed === null ? [] : [{ type: 'data-handoff' as const, id: newId('handoff'), data: handed }]
  if (isNew) write({ type: 'start', messageId, messageMetadata: metadata }, messageId)
  else if (ranOn !== undefined && (ranOn.revision !== shown?.revision || ranOn.agentId !== shown.agentId)) {
    const messageMetadata = ranBy(head, ranOn, shown) as MessageMetadata
    write({ type: 'message-metadata', messageMetadata }, messageId)
  }
  for (const part of handOff) write(part, messageId)
  for (const one of told) write({ type: 'data-oob', id: one.id, data: one }, messageId)
  write({ type: 'start-step' }, messageId)
  const written = append(tx, head, chunks)
  if (!isNew) {
    // "Retry now" goes on in a message that was finished: it is live again, and nothing of it may be compacted.
    await together([
      written,
      tx.sql`
        update messages set done = false, done_at = null, compacted_at = null
        where session_key = ${head.sessionKey} and id = ${messageId} and done`
    ])
    return
  }
  const message: Message = {
    id: messageId,
    role: 'assistant',
    metadata,
    parts: [...handOff, ...told.map(partOf), { type: 'step-start' }]
  }
  await together([written, addMessage(tx, head, message, head.seq)])
  if (ended !== null) {
    const calls = await callsOfMessage(tx, head.sessionKey, ended)
    await refold(tx, head, ended, calls, { done: true })
  }
}

/** What a message says of what its newest step ran on; the agent only where it is, or was, not the session's own. */
const ranBy = (head: LockedSession, { agentId, revision }: RanOn, shown: RanOn | null | undefined) => ({
  revision,
  ...(agentId === head.agentId && (shown?.agentId ?? agentId) === agentId ? {} : { agentId })
})

const partOf = (told: OutOfBand) => ({ type: 'data-oob' as const, id: told.id, data: told })
