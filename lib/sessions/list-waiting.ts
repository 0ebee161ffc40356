import { type CallRow, callColumns, wireCall } from '#lib/calls/call-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readCursor, writeCursor } from '#lib/kernel/cursor.ts'
import type { ListWaiting } from '#lib/protocol/session.ts'
import type { WaitingPage } from '#lib/protocol/waiting-call.ts'

type Row = CallRow & { id: string; agentId: string; sessionTitle: string }

/**
 * The open calls of the workspace, nearest deadline first, 500 a page; `mine`: only those a person may answer.
 * `cursor` goes on from the last page.
 */
export async function listWaiting(ctx: Ctx, { mine = false, cursor }: ListWaiting): Promise<WaitingPage> {
  const after = cursor === undefined ? null : readCursor(cursor)
  const rows = await ctx.sql<Row[]>`
    select c.*, s.id, s.agent_id as "agentId", s.title as "sessionTitle" from (
      select ${callColumns(ctx.sql)} from calls
      where workspace_id = ${ctx.workspaceId} and state = 'open' and kind <> 'server'
        and (not ${mine} or ("where" <> 'external' and kind <> 'agent'))
        and (${after?.at ?? null}::timestamptz is null or (deadline, session_key, tool_call_id)
          > (${after?.at ?? null}::timestamptz, ${after?.key ?? null}::bigint, ${after?.rest ?? null}::text))
    ) c join sessions s on s.key = c."sessionKey"
    where s.deleted_at is null order by c.deadline, c."sessionKey", c."toolCallId" limit ${pageSize + 1}`
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    calls: page.map(row => {
      const { title: callTitle, ...call } = wireCall(row)
      const from = { sessionId: row.id, agentId: row.agentId, title: row.sessionTitle }
      return { ...call, ...from, ...(callTitle === undefined ? {} : { callTitle }) }
    }),
    nextCursor:
      rows.length > pageSize && last !== undefined
        ? writeCursor(last.deadline, last.sessionKey, last.toolCallId)
        : null
  }
}

const pageSize = 500
