import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { covers } from '#lib/kernel/scope.ts'

const maxHeld = 500

type Row = OobRow & { sessionKey: number; agentId: string; title: string }

/**
 * Lists the workspace's held out-of-band messages, oldest first, at most 500 (004-14). `mine` is true if the
 * caller can approve messages.
 */
export async function listHeld({ sql, workspaceId, actor }: Ctx): Promise<HeldMessage[]> {
  const rows = await sql<Row[]>`
    select o.*, s.agent_id, s.title from (
      select session_key, ${oobColumns(sql)} from out_of_band
      where status = 'held' and (expires_at is null or expires_at > clock_timestamp())
    ) o join sessions s on s.key = o.session_key
    where s.workspace_id = ${workspaceId} and s.deleted_at is null and not s.trial order by o.queued_at, o.id limit ${maxHeld}`
  const mine = covers(actor, 'answer')
  return rows.map(({ sessionKey: _, agentId, title, ...row }) => ({ ...wireOob(row), agentId, title, mine }))
}
