import type { SessionStatus } from '@waystation/protocol/session/event.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentSessionOf, isSeenByAgent } from '#lib/sessions/seen-by-agent.ts'
import { addReadAuthors } from './add-read-authors.ts'
import { cut } from './cut.ts'
import { pendingCallsOf } from './pending-calls.ts'
import type { AgentSessions, ListForAgent } from './seen-sessions.ts'

/** Maximum length of a title in a list, in characters, and maximum number of pending calls of a session. */
const maxTitle = 120
const maxWaiting = 5

type Row = {
  key: number
  sessionId: string
  title: string
  agentId: string
  status: SessionStatus
  activeAt: string
  parentSessionId: string | null
}

/** Lists the sessions that the agent can see, without its own, last active first. `more` is true if there are others. */
export async function listSessionsForAgent(
  ctx: Ctx,
  lease: Lease,
  { query, status, agentId, limit }: ListForAgent
): Promise<AgentSessions> {
  const { sql } = ctx
  const agent = await agentSessionOf(ctx, lease.sessionKey)
  const noCondition = sql``
  const rows = await sql<Row[]>`
    select s.key, s.id as session_id, s.title, coalesce(s.handed_to, s.agent_id) as agent_id, s.status, s.active_at,
      (select p.id from sessions p where p.key = s.parent_key and p.deleted_at is null) as parent_session_id
    from sessions s where ${isSeenByAgent(ctx, agent)} and s.key <> ${lease.sessionKey}
      ${status === undefined ? noCondition : sql`and s.status = ${status}`}
      ${agentId === undefined ? noCondition : sql`and coalesce(s.handed_to, s.agent_id) = ${agentId}`}
      ${query === undefined ? noCondition : sql`and strpos(lower(s.title || ' ' || s.id || ' ' || s.snippet), lower(${query})) > 0`}
    order by s.active_at desc, s.key desc limit ${limit + 1}`
  const listed = rows.slice(0, limit)
  const keys = listed.map(({ key }) => key)
  const pending = await pendingCallsOf(ctx, keys)
  await addReadAuthors(ctx, lease, keys)
  return {
    sessions: listed.map(({ key, title, parentSessionId, ...row }) => ({
      ...row,
      title: cut(title, maxTitle),
      waitingFor: pending
        .filter(call => call.sessionKey === key)
        .slice(0, maxWaiting)
        .map(call => call.title),
      ...(parentSessionId === null ? {} : { parentSessionId })
    })),
    more: rows.length > limit
  }
}
