import { waitingFor } from '@waystation/protocol/call/pending.ts'
import type { TurnError } from '@waystation/protocol/session/event.ts'
import type { ListedSession, SessionPage } from '@waystation/protocol/session/listed-session.ts'
import type { ListSessions } from '@waystation/protocol/session/session.ts'
import { agentsVersion } from '#lib/agents/version.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readCursor, writeCursor } from '#lib/kernel/cursor.ts'

type Row = Omit<
  ListedSession,
  'waitingFor' | 'outOfBand' | 'subAgents' | 'unread' | 'subject' | 'error' | 'retryAt' | 'undelivered'
> & {
  undelivered: boolean | null
  key: number
  subject: string | null
  error: TurnError | null
  retryAt: string | null
  cursorAt: string
}

/**
 * Lists the workspace's sessions with their pending calls, last active first. `cursor` continues after the previous
 * page.
 */
export async function listSessions(ctx: Ctx, input: ListSessions): Promise<SessionPage> {
  const after = input.cursor === undefined ? undefined : readCursor(input.cursor)
  const { sql } = ctx
  const undelivered = sql`(
    select d.state = 'failed' from deliveries d
    where d.session_key = s.key and d.kind <> 'webhook' order by d.created_at desc limit 1)`
  // The statement contains only the conditions in use, so that the planner can choose an index.
  const { trouble, waiting, status, agentId, subject, q, parent } = input
  const noCondition = sql``
  const conditions = [
    // Sub-agent sessions are listed only for their parent (001-16), and trials are not listed.
    parent === undefined
      ? sql`and s.parent_key is null and not s.trial`
      : sql`and s.parent_key = (select key from sessions where workspace_id = ${ctx.workspaceId} and id = ${parent})`,
    trouble ? sql`and (s.status = 'failed' or ${undelivered})` : noCondition,
    // Few sessions have held messages, so those are read first.
    waiting
      ? sql`and (s.status = 'parked' or s.key = any(array(select session_key from out_of_band where status = 'held')))`
      : noCondition,
    status === undefined ? noCondition : sql`and s.status = ${status}`,
    agentId === undefined ? noCondition : sql`and s.agent_id = ${agentId}`,
    subject === undefined ? noCondition : sql`and s.subject = ${subject}`,
    q === undefined
      ? noCondition
      : sql`and strpos(lower(s.title || ' ' || s.id || ' ' || s.snippet), lower(${q})) > 0`,
    after === undefined
      ? noCondition
      : sql`and (s.active_at, s.key) < (${after.at}::timestamptz, ${after.key}::bigint)`
  ]
  const rows = await sql<Row[]>`
    select s.key, s.id, s.agent_id, coalesce(a.config ->> 'displayName', s.agent_id) as agent_name, s.title,
      s.snippet, s.status, s.subject, s.error, s.retry_at, s.active_at, s.active_at::text as cursor_at,
      ${undelivered} as undelivered
    from sessions s left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
    where s.workspace_id = ${ctx.workspaceId} and s.deleted_at is null ${conditions}
    order by s.active_at desc, s.key desc limit ${input.limit + 1}`
  const page = rows.slice(0, input.limit)
  const keys = page.map(row => row.key)
  const [open, version, ...parts] = await Promise.all([
    sql<CallRow[]>`
      select ${callColumns(sql)} from calls
      where session_key = any(${keys}) and result is null and state = 'open' and kind <> 'server'`,
    agentsVersion(ctx),
    ...ctx.ports.sessions.listed.map(part => part(ctx, keys))
  ])
  const last = page.at(-1)
  return {
    sessions: page.map(({ key, subject, error, retryAt, undelivered, cursorAt: _, ...row }) => ({
      ...row,
      ...(subject === null ? {} : { subject }),
      ...(error === null ? {} : { error }),
      ...(undelivered === true ? { undelivered } : {}),
      ...(retryAt === null ? {} : { retryAt }),
      ...Object.assign({}, ...parts.map(part => part.get(key))),
      waitingFor: waitingFor(open.filter(call => call.sessionKey === key).map(wireCall))
    })),
    nextCursor: rows.length > input.limit && last !== undefined ? writeCursor(last.cursorAt, last.key) : null,
    agentsVersion: version
  }
}
