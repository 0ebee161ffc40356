import type { Call } from '@waystation/protocol/call/call.ts'
import { applyChunk, foldedMessage } from '@waystation/protocol/session/apply-chunk.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { applyCall } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { pipelined } from '#db/transaction.ts'
import { callsOfMessage } from '#lib/engine/calls/read-calls.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { type Unsaved, unsavedChunks } from '#lib/engine/log/unsaved.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A message as it is stored, with all later chunks, which are at most about one step, and its calls. */
export type StoredFold = {
  message: Message
  seq: number
  chunks: { seq: number; chunk: Chunk }[]
  calls: readonly Call[]
}

/** Reads a message for `foldOf`. Undefined if it does not exist. */
export async function readFold(
  ctx: Ctx,
  sessionKey: number,
  messageId: string,
  calls: readonly Call[] | Promise<readonly Call[]> = callsOfMessage(ctx, sessionKey, messageId)
): Promise<StoredFold | undefined> {
  const stored = ctx.sql<Omit<StoredFold, 'calls'>[]>`
    select m.message, m.folded_seq as seq, (
      select coalesce(json_agg(json_build_object('seq', e.seq, 'chunk', e.payload -> 'chunk') order by e.seq), '[]')
      from events e
      where e.session_key = m.session_key and e.message_id = m.id and e.type = 'chunk' and e.seq > m.folded_seq
    ) as chunks
    from messages m where m.session_key = ${sessionKey} and m.id = ${messageId}`
  const [[row], known] = await pipelined([stored, calls])
  return row && { ...row, calls: known.filter(call => call.messageId === messageId) }
}

type Fold = { message: Message; seq: number }

/** Returns a message with its newest chunks, also those that are `unsaved`. `seq` is that of the last chunk. */
export function foldOf({ message, seq, chunks, calls }: StoredFold, unsaved?: Unsaved): Fold {
  const all = [...chunks, ...(unsaved === undefined ? [] : unsavedChunks(unsaved, message.id))]
  const folded = all.reduce((soFar, { chunk }) => applyChunk(soFar, chunk), foldedMessage(message))
  return { message: calls.reduce(applyCall, folded).message, seq: all.at(-1)?.seq ?? seq }
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
  const stored = await readFold(ctx, sessionKey, messageId, calls)
  if (stored === undefined) return undefined
  const fold = foldOf(stored, unsaved)
  await storeFold(ctx, sessionKey, fold, done)
  return fold.message
}

/** Returns the statement that stores the result of `foldOf`. */
export const storeFold = ({ sql }: Ctx, sessionKey: number, fold: Fold, done: boolean) => sql`
  update messages set message = ${fold.message}::jsonb, folded_seq = ${fold.seq},
    done = ${done}, done_at = case when ${done} then clock_timestamp() end
  where session_key = ${sessionKey} and id = ${fold.message.id}`
