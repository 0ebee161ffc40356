import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { covers } from '#lib/kernel/scope.ts'
import { OobPolicy, OobPriority, type OobSource } from '#lib/protocol/out-of-band/out-of-band.ts'

/** What a session lets in. The head is locked, so what is judged by it holds until the commit. */
export async function policyOf(tx: Ctx, head: LockedSession): Promise<OobPolicy> {
  const [row] = await tx.sql<{ policy: unknown }[]>`
    select oob_policy as policy from sessions where key = ${head.sessionKey}`
  return OobPolicy.parse(row?.policy ?? {})
}

export async function keepPolicy(tx: Ctx, head: LockedSession, policy: OobPolicy): Promise<void> {
  await tx.sql`update sessions set oob_policy = ${policy}::jsonb where key = ${head.sessionKey}`
}

/**
 * Whether the agent may be told at once, or when somebody has said yes (004-14, 004-17). What the policy keeps out is refused
 * with `403 FORBIDDEN`: nobody believes that the agent knows what it never will.
 */
export function applyPolicy(
  { mode, minPriority, muted }: OobPolicy,
  { source, sourceId, priority }: { source: OobSource; sourceId: string; priority: OobPriority },
  { actor, byAgent }: { actor: Actor; byAgent: boolean }
): 'visible' | 'held' {
  if (mode === 'off') throw refused('accepts no out-of-band messages')
  if (muted.some(one => one.source === source && (one.sourceId ?? sourceId) === sourceId))
    throw refused(`has muted ${source} "${sourceId}"`)
  if (rank(priority) < rank(minPriority))
    throw refused(`accepts no messages below the priority ${minPriority}`)
  // An agent may call anything critical, and a key may name anybody: only editors' keys speak for people.
  const isUrgent = priority === 'critical' && !byAgent
  const isOwn = source === 'user' && (actor.kind !== 'key' || covers(actor, 'edit'))
  return mode === 'approve' && !isUrgent && !isOwn ? 'held' : 'visible'
}

const rank = (priority: OobPriority) => OobPriority.options.indexOf(priority)

const refused = (why: string) =>
  new Refusal(
    'FORBIDDEN',
    `This session ${why}. A member who can edit the session can change this in its settings.`
  )
