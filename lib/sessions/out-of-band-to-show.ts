import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Maximum number of messages per page that are in no reply, newest first. */
const maxClosed = 200

/**
 * A page of the transcript: the IDs of its messages, the time of the first one unless the transcript starts
 * with it, and the ID of the message after the page.
 */
export type OobPage = { ids: readonly string[]; from?: string | undefined; before?: string | undefined }

/**
 * Returns the out-of-band messages to show with a page of the transcript: waiting messages, messages that the
 * page's messages took in, and messages from that period that expired, were removed, or went to an external agent.
 */
export async function oobToShow({ sql }: Ctx, sessionKey: number, page: OobPage): Promise<OutOfBand[]> {
  const { ids, from = '-infinity', before = null } = page
  const rows = await sql<OobRow[]>`
    (select ${oobColumns(sql)} from out_of_band
      where session_key = ${sessionKey} and (status in ('visible', 'held') or message_id = any(${[...ids]})))
    union all
    (select ${oobColumns(sql)} from out_of_band
      where session_key = ${sessionKey} and (status in ('cancelled', 'expired') or message_id = id) and queued_at >= ${from}::timestamptz
        and queued_at < coalesce((
          select (message -> 'metadata' ->> 'createdAt')::timestamptz from messages
          where session_key = ${sessionKey} and id = ${before}), 'infinity')
      order by queued_at desc limit ${maxClosed})
    order by queued_at, id`
  return rows.map(wireOob)
}
