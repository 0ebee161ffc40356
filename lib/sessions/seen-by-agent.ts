import { notFound } from '@waystation/base/api-error.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The session of an agent, as far as it decides which other sessions the agent can see. */
type AgentSession = { sessionKey: number; subject: string | null; rootKey: number }

/** Reads the session of an agent whose tool runs. */
export async function agentSessionOf({ sql }: Ctx, sessionKey: number): Promise<AgentSession> {
  const [session] = await sql<AgentSession[]>`
    select key as session_key, subject, coalesce(root_key, key) as root_key from sessions
    where key = ${sessionKey} and deleted_at is null`
  if (session === undefined) throw new ToolError('This session was deleted.')
  return session
}

/**
 * Returns an SQL condition on `sessions s`: the agent of a session can see it, and send it messages (004-11). The agent
 * of an end user's session sees only sessions of that end user. Other agents see no session of an end user. All of them
 * see sessions of sub-agents only in their own tree, and no trials outside it.
 */
export const isSeenByAgent = ({ sql, workspaceId }: Ctx, { subject, rootKey }: AgentSession) => sql`
  s.workspace_id = ${workspaceId} and s.deleted_at is null
  and ${subject === null ? sql`s.subject is null` : sql`s.subject = ${subject}`}
  and (s.parent_key is null and not s.trial or s.root_key = ${rootKey} or s.key = ${rootKey})`

/**
 * Returns the key of a session that the agent can see. Throws the same `NOT_FOUND` for a session that it cannot see as
 * for one that does not exist.
 */
export async function keySeenByAgent(ctx: Ctx, agent: AgentSession, sessionId: string): Promise<number> {
  const [row] = await ctx.sql<{ key: number }[]>`
    select s.key from sessions s where s.id = ${sessionId} and ${isSeenByAgent(ctx, agent)}`
  if (row === undefined) throw notFound('session', sessionId)
  return row.key
}
