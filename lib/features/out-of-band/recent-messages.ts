import type { OobReceiver, OobSender, ToldMessage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * An out-of-band message with its sender and receiver. `from` is null if the sender has no session or it was
 * deleted.
 */
export type RecentOobRow = OobRow & {
  sessionKey: number
  sender: number | null
  fromKey: number | null
  to: string
  toTitle: string
  agentName: string
  from: string | null
  fromTitle: string | null
}

/**
 * Returns a subquery for the out-of-band messages of the last hours in the workspace: rows of a ToldRow. A
 * message sets `active_at`, so only sessions active since then are read. It uses `now()` because an index can
 * serve it.
 */
export const recentOob = ({ sql, workspaceId }: Ctx, hours: number) => {
  const since = sql`now() - make_interval(hours => ${hours}::int)`
  return sql`(
    select o.*, f.key as from_key, s.id as "to", s.title as to_title,
      coalesce(a.config ->> 'displayName', s.agent_id) as agent_name, f.id as "from", f.title as from_title
    from sessions s
    join (select session_key, from_key as sender, ${oobColumns(sql)} from out_of_band) o
      on o.session_key = s.key and o.queued_at > ${since}
    left join sessions f on f.key = o.sender and f.workspace_id = s.workspace_id and f.deleted_at is null
    left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
    where s.workspace_id = ${workspaceId} and s.deleted_at is null and s.active_at > ${since}
  ) told`
}

/** Returns the sender and the receiver in the API's form. */
export const senderAndReceiver = (row: RecentOobRow): { from: OobSender; to: OobReceiver } => ({
  from: {
    source: row.source,
    sourceId: row.sourceId,
    ...(row.from === null ? {} : { sessionId: row.from, title: row.fromTitle ?? '' })
  },
  to: { sessionId: row.to, title: row.toTitle, agentName: row.agentName }
})

/** Returns the message with its receipts, sender and receiver in the API's form. */
export function wireRecentOob(row: RecentOobRow): ToldMessage {
  const { sessionKey, sender, fromKey, to, toTitle, agentName, from, fromTitle, ...oob } = row
  return { ...wireOob(oob), ...senderAndReceiver(row) }
}
