import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The task of a sub-agent (001-16): the call that waits for its result, and until when (ISO 8601). */
export type Task = { parentSessionId: string; toolCallId: string; deadline: string }

/**
 * Returns the task of a sub-agent's session; undefined if the session has none, or if it has ended. Needs the lock of
 * this session. It does not lock the parent session, so the call can still end otherwise.
 */
export async function openTask(
  { sql }: Ctx,
  { sessionKey }: Pick<LockedSession, 'sessionKey'>
): Promise<Task | undefined> {
  const [task] = await sql<Task[]>`
    select p.id as parent_session_id, c.tool_call_id, c.deadline
    from sessions s join heads h on h.session_key = s.key
      join sessions p on p.key = s.parent_key and p.deleted_at is null
      join calls c on c.session_key = s.parent_key and c.generation = s.parent_generation
        and c.tool_call_id = s.parent_call_id
    where s.key = ${sessionKey} and s.reports and c.state = 'open' and c.deadline > clock_timestamp()
      and not exists (
        select from receipts r where r.session_key = s.key and r.generation = h.generation and r.verb = 'task')`
  return task && { ...task, deadline: new Date(task.deadline).toISOString() }
}
