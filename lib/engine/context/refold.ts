import type { Call } from '@waystation/protocol/call/call.ts'
import { applyChunk, foldedMessage } from '@waystation/protocol/session/apply-chunk.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { applyCall } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { pipelined } from '#db/transaction.ts'
import { callsOfMessage } from '#lib/engine/calls/read-calls.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { unsavedChunks } from '#lib/engine/log/unsaved.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns a message with its newest chunks: the stored fold plus all later chunks, which are at most about
 * one step. Undefined if the message does not exist. `seq` is that of the last chunk.
 */
export async function liveFold(
  ctx: Ctx,
  sessionKey: number,
  messageId: string,
  calls: readonly Call[] | Promise<readonly Call[]>,
  /** Later chunks of this transaction that are not written yet. */
  unsaved: readonly { seq: number; chunk: Chunk }[] = []
): Promise<{ message: Message; seq: number } | undefined> {
  const stored = ctx.sql<{ message: Message; seq: number; chunks: { seq: number; chunk: Chunk }[] }[]>`
    select m.message, m.folded_seq as seq, (
      select coalesce(json_agg(json_build_object('seq', e.seq, 'chunk', e.payload -> 'chunk') order by e.seq), '[]')
      from events e
      where e.session_key = m.session_key and e.message_id = m.id and e.type = 'chunk' and e.seq > m.folded_seq
    ) as chunks
    from messages m where m.session_key = ${sessionKey} and m.id = ${messageId}`
  const [[row], known] = await pipelined([stored, calls])
  if (row === undefined) return undefined
  const chunks = [...row.chunks, ...unsaved]
  const folded = chunks.reduce((message, { chunk }) => applyChunk(message, chunk), foldedMessage(row.message))
  const { message } = known.filter(call => call.messageId === messageId).reduce(applyCall, folded)
  return { message, seq: chunks.at(-1)?.seq ?? row.seq }
}

/**
 * Folds a message's newest chunks into its row, when a step is committed or a turn ends. `calls` are those of
 * the message, which are read if they are not given. Requires the session's lock.
 */
export async function refold(
  ctx: Ctx,
  { sessionKey, unsaved }: LockedSession,
  messageId: string,
  { done = false, calls }: { done?: boolean; calls?: readonly Call[] } = {}
): Promise<Message | undefined> {
  const known = calls ?? callsOfMessage(ctx, sessionKey, messageId)
  const live = await liveFold(ctx, sessionKey, messageId, known, unsavedChunks(unsaved, messageId))
  if (live !== undefined) await storeFold(ctx, sessionKey, messageId, live, done)
  return live?.message
}

/** Returns the statement that stores the result of `liveFold`. */
export const storeFold = (
  { sql }: Ctx,
  sessionKey: number,
  messageId: string,
  { message, seq }: { message: Message; seq: number },
  done: boolean
) => sql`
  update messages set message = ${message}::jsonb, folded_seq = ${seq},
    done = ${done}, done_at = case when ${done} then clock_timestamp() end
  where session_key = ${sessionKey} and id = ${messageId}`
