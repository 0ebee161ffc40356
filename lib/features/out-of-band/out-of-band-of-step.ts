import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OobReceiver, OobSender, ToldMessage } from '#lib/protocol/out-of-band/oob-edge.ts'

/** An out-of-band message, and the sessions between which it went: `from` is null of who has none, or whose is deleted. */
export type ToldRow = OobRow & {
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
 * What the sessions of the workspace were told in the last hours, for a `from`: rows of a ToldRow. A session was active whenever
 * it was told something, so only those active since are looked at. The time is `now()`, which an index can be asked for.
 */
export const toldWithin = ({ sql, workspaceId }: Ctx, hours: number) => {
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

/** Between whom it went, as everybody sees it. */
export const endsOf = (row: ToldRow): { from: OobSender; to: OobReceiver } => ({
  from: {
    source: row.source,
    sourceId: row.sourceId,
    ...(row.from === null ? {} : { sessionId: row.from, title: row.fromTitle ?? '' })
  },
  to: { sessionId: row.to, title: row.toTitle, agentName: row.agentName }
})

/** The message with its receipts, and between whom it went, as everybody sees it. */
export function wireTold(row: ToldRow): ToldMessage {
  const { sessionKey, sender, fromKey, to, toTitle, agentName, from, fromTitle, ...oob } = row
  return { ...wireOob(oob), ...endsOf(row) }
}
