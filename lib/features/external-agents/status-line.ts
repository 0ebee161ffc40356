import type {
  AgentStatus,
  StatusLine,
  StatusReceipt
} from '@waystation/protocol/external-agent/agent-status.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { storable } from '#db/client.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { inAgentSession, type VerifiedRequest } from './agent-session.ts'

/**
 * Shows what an external agent is doing, until the line expires, the agent replies, a user stops it, or an empty text
 * removes it. A newer line replaces it.
 *
 * @throws ApiError `UNAUTHENTICATED`, `NOT_FOUND`
 */
export async function setStatus(
  request: VerifiedRequest,
  { text: raw, ttlSeconds }: StatusLine
): Promise<StatusReceipt> {
  const line = redacted(request.target.ctx, 'reply', String(storable(raw)))
  const text = line.replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed()
  return inAgentSession(request, async (tx, session) => {
    if (text === '') {
      await clearStatus(tx, session)
      return { ok: true }
    }
    const [row] = await tx.sql<{ expiresAt: string }[]>`
      update sessions set agent_status = ${text},
        agent_status_until = clock_timestamp() + make_interval(secs => ${ttlSeconds})
      where key = ${session.sessionKey} returning agent_status_until as expires_at`
    if (row === undefined) throw new Error(`The locked session ${session.sessionKey} is not stored.`)
    show(tx, session, { text, expiresAt: row.expiresAt })
    return { ok: true, expiresAt: row.expiresAt }
  })
}

/** Removes the line, if there is one. Needs the session's lock. */
export async function clearStatus(tx: Ctx, session: LockedSession): Promise<void> {
  const [shown] = await tx.sql`
    update sessions set agent_status = null, agent_status_until = null
    where key = ${session.sessionKey} and agent_status is not null returning key`
  if (shown !== undefined) show(tx, session, null)
}

const show = (tx: Ctx, session: LockedSession, agentStatus: AgentStatus | null): void =>
  void append(tx, session, [{ type: 'session', title: session.title, agentStatus }])

/** Returns the part of a session's snapshot with its line. */
export async function statusInSnapshot(ctx: Ctx, sessionKey: number): Promise<{ agentStatus?: AgentStatus }> {
  return (await listStatuses(ctx, [sessionKey])).get(sessionKey) ?? {}
}

/** Returns the lines of these sessions, for the list. */
export async function listStatuses(
  { sql }: Ctx,
  keys: readonly number[]
): Promise<Map<number, Pick<ListedSession, 'agentStatus'>>> {
  const rows = await sql<{ key: number; text: string; expiresAt: string }[]>`
    select key, agent_status as text, agent_status_until as expires_at from sessions
    where key = any(${keys}) and agent_status is not null and agent_status_until > clock_timestamp()`
  return new Map(rows.map(({ key, ...agentStatus }) => [key, { agentStatus }]))
}
