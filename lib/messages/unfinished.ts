import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Chunk } from '#lib/protocol/event.ts'

/** What the newest step of a message had said when it was cut off, and the chunks that end what it left streaming. */
export type Unfinished = { text: string; ends: Chunk[] }

/** Read from the log, since a cut-off step is stored nowhere else. The head is locked. */
export async function unfinishedStep(ctx: Ctx, sessionKey: number, messageId: string): Promise<Unfinished> {
  const chunks = await ctx.sql<{ type: string; id: string | null; delta: string | null }[]>`
    select chunk ->> 'type' as type, chunk ->> 'id' as id, chunk ->> 'delta' as delta from (
      select seq, payload -> 'chunk' as chunk from events
      where session_key = ${sessionKey} and message_id = ${messageId} and type = 'chunk' and seq > (
        select max(seq) from events where session_key = ${sessionKey} and message_id = ${messageId} and type = 'chunk'
          and payload -> 'chunk' ->> 'type' = 'start-step')
    ) step order by seq`
  const open = new Map<string, Chunk>()
  let text = ''
  for (const { type, id, delta } of chunks) {
    if (type === 'text-delta') text += delta ?? ''
    if (id === null) continue
    if (type === 'text-start') open.set(id, { type: 'text-end', id })
    if (type === 'reasoning-start') open.set(id, { type: 'reasoning-end', id })
    if (type === 'text-end' || type === 'reasoning-end') open.delete(id)
  }
  return { text, ends: [...open.values()] }
}
