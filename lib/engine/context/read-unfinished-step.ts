import type { Chunk } from '@waystation/protocol/session/event.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A step that was cut off: its text so far, the chunks that end its open parts, and the time of its last chunk. */
export type Unfinished = { text: string; ends: Chunk[]; lastAt: string | undefined }

/** The error of a call whose arguments were incomplete. */
const incompleteArguments = 'Stopped before the arguments were complete.'
const endTypes = new Set(['text-end', 'reasoning-end', 'tool-input-available', 'tool-input-error'])

/**
 * Reads the newest, unfinished step of a message from the log, because it is stored nowhere else. Requires
 * the session's lock.
 */
export async function unfinishedStep(ctx: Ctx, sessionKey: number, messageId: string): Promise<Unfinished> {
  const chunks = await ctx.sql<
    { type: string; id: string | null; toolName: string; delta: string | null; at: string }[]
  >`
    select chunk ->> 'type' as type, coalesce(chunk ->> 'id', chunk ->> 'toolCallId') as id,
      chunk ->> 'toolName' as tool_name, chunk ->> 'delta' as delta, at from (
      select seq, at, payload -> 'chunk' as chunk from events
      where session_key = ${sessionKey} and message_id = ${messageId} and type = 'chunk' and seq > (
        select max(seq) from events where session_key = ${sessionKey} and message_id = ${messageId} and type = 'chunk'
          and payload -> 'chunk' ->> 'type' = 'start-step')
    ) step order by seq`
  const open = new Map<string, Chunk>()
  let text = ''
  for (const { type, id, toolName, delta } of chunks) {
    if (type === 'text-delta') text += delta ?? ''
    if (id === null) continue
    if (type === 'text-start') open.set(id, { type: 'text-end', id })
    if (type === 'reasoning-start') open.set(id, { type: 'reasoning-end', id })
    if (type === 'tool-input-start')
      open.set(id, {
        type: 'tool-input-error',
        toolCallId: id,
        toolName,
        input: undefined,
        errorText: incompleteArguments
      })
    if (endTypes.has(type)) open.delete(id)
  }
  return { text, ends: [...open.values()], lastAt: chunks.at(-1)?.at }
}
