import { denialReason } from '@waystation/protocol/call/answerers.ts'
import { waitsForPerson } from '@waystation/protocol/call/pending.ts'
import type { WaitingPage } from '@waystation/protocol/call/waiting-call.ts'
import type { ListWaiting } from '@waystation/protocol/session/session.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readCursor, writeCursor } from '#lib/kernel/cursor.ts'
import { answererOf } from '#lib/kernel/identity.ts'

type Row = CallRow & { id: string; agentId: string; sessionTitle: string; cursorAt: string }

/**
 * Lists the workspace's open calls, nearest deadline first, 500 per page. `mine` keeps only calls for people that this
 * caller can answer by role and by the call's policy. `cursor` continues after the previous page. The first page also
 * has the held out-of-band messages, with `mine` only those that this caller can approve. Trials are left out.
 */
export async function listPendingCalls(
  ctx: Ctx,
  { mine = false, cursor }: ListWaiting
): Promise<WaitingPage> {
  const answerer = answererOf(ctx.actor)
  const hasAnswerRole = answerer.role !== 'viewer'
  const after = cursor === undefined ? null : readCursor(cursor)
  const held = after === null ? ctx.ports.sessions.listHeld(ctx) : Promise.resolve([])
  const listing = ctx.sql<Row[]>`
    select c.*, s.id, s.agent_id, s.title as session_title, c.deadline::text as cursor_at from (
      select ${callColumns(ctx.sql)} from calls
      where workspace_id = ${ctx.workspaceId} and state = 'open' and kind <> 'server'
        and (not ${mine} or (kind not in ('external', 'agent') and ${hasAnswerRole}
          and (answerers is null or kind not in ('approval', 'question', 'connection', 'limit') or (
            ((answerers -> 'roles' is null and answerers -> 'people' is null)
              or answerers -> 'roles' @> to_jsonb(${answerer.role ?? ''}::text)
              or answerers -> 'people' @> jsonb_build_array(jsonb_build_object('id', ${answerer.id ?? ''}::text)))
            and (kind <> 'approval' or answerers -> 'askers' is null
              or not answerers -> 'askers' @> jsonb_build_array(jsonb_build_object('id', ${answerer.id ?? ''}::text)))))))
        and (${after?.at ?? null}::timestamptz is null or (deadline, session_key, tool_call_id)
          > (${after?.at ?? null}::timestamptz, ${after?.key ?? null}::bigint, ${after?.rest ?? null}::text))
    ) c join sessions s on s.key = c.session_key
    where s.deleted_at is null and not s.trial order by c.deadline, c.session_key, c.tool_call_id limit ${pageSize + 1}`
  const [rows, heldMessages] = await Promise.all([listing, held])
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    calls: page.map(row => {
      const { title: callTitle, ...call } = wireCall(row)
      const isMine = hasAnswerRole && waitsForPerson(call) && denialReason(call, answerer) === undefined
      const inSession = { sessionId: row.id, agentId: row.agentId, title: row.sessionTitle, mine: isMine }
      return { ...call, ...inSession, ...(callTitle === undefined ? {} : { callTitle }) }
    }),
    held: mine ? heldMessages.filter(message => message.mine) : heldMessages,
    nextCursor:
      rows.length > pageSize && last !== undefined
        ? writeCursor(last.cursorAt, last.sessionKey, last.toolCallId)
        : null
  }
}

const pageSize = 500
