import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'

/** What the newest step of a message had said when it was cut off, when it last spoke, and the chunks that end what it left
 * streaming. */
export type Unfinished = { text: string; ends: Chunk[]; lastAt: string | undefined }

/** Why a call whose arguments were never whole did nothing. */
const unmade = 'Stopped before the arguments were complete.'
const ending = new Set(['text-end', 'reasoning-end', 'tool-input-available', 'tool-input-error'])

/** Read from the log, since a cut-off step is stored nowhere else. The head is locked. */
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
        errorText: unmade
      })
    if (ending.has(type)) open.delete(id)
  }
  return { text, ends: [...open.values()], lastAt: chunks.at(-1)?.at }
}
