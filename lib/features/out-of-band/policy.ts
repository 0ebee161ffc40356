import { ApiError } from '@waystation/base/api-error.ts'
import { OobPolicy, OobPriority, type OobSource } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { covers } from '#lib/kernel/scope.ts'

/**
 * Returns the session's policy for out-of-band messages. The caller holds the session's lock, so the policy
 * stays valid until the commit.
 */
export async function policyOf(tx: Ctx, session: LockedSession): Promise<OobPolicy> {
  const [row] = await tx.sql<{ policy: unknown }[]>`
    select oob_policy as policy from sessions where key = ${session.sessionKey}`
  return OobPolicy.parse(row?.policy ?? {})
}

/** Stores the session's policy. The caller holds the session's lock. */
export async function storePolicy(tx: Ctx, session: LockedSession, policy: OobPolicy): Promise<void> {
  await tx.sql`update sessions set oob_policy = ${policy}::jsonb where key = ${session.sessionKey}`
}

/**
 * Decides whether the agent receives a message at once or only after approval (004-14, 004-17). Throws
 * `FORBIDDEN` for a message that the policy rejects, so that senders know that the agent never receives it.
 */
export function applyPolicy(
  { mode, minPriority, muted }: OobPolicy,
  { source, sourceId, priority }: { source: OobSource; sourceId: string; priority: OobPriority },
  { actor, byAgent }: { actor: Actor; byAgent: boolean }
): 'visible' | 'held' {
  if (mode === 'off') throw rejection('accepts no out-of-band messages')
  if (muted.some(mute => mute.source === source && (mute.sourceId ?? sourceId) === sourceId))
    throw rejection(`has muted ${source} "${sourceId}"`)
  if (rank(priority) < rank(minPriority))
    throw rejection(`accepts no messages below the priority ${minPriority}`)
  // Agents may mark anything as critical, and keys may name any user. Only keys with edit permission can
  // speak for users.
  const isUrgent = priority === 'critical' && !byAgent
  const isOwn = source === 'user' && (actor.kind !== 'key' || covers(actor, 'edit'))
  return mode === 'approve' && !isUrgent && !isOwn ? 'held' : 'visible'
}

const rank = (priority: OobPriority) => OobPriority.options.indexOf(priority)

const rejection = (why: string) =>
  new ApiError(
    'FORBIDDEN',
    `This session ${why}. A member who can edit the session can change this in its settings.`
  )
