import { ApiError } from '@waystation/base/api-error.ts'
import { type OobPolicy, OobPriority, type OobSource } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Actor } from '#lib/kernel/ctx.ts'

/**
 * Decides whether the agent receives a message at once or only after approval (004-14, 004-17). Throws
 * `FORBIDDEN` for a message that the policy rejects, so that senders know that the agent never receives it.
 * `checkTrust` has already verified the sender's source and priority.
 */
export function applyPolicy(
  { mode, minPriority, muted }: OobPolicy,
  { source, sourceId, priority }: { source: OobSource; sourceId: string; priority: OobPriority },
  actor: Actor
): 'visible' | 'held' {
  if (mode === 'off') throw rejection('accepts no out-of-band messages')
  if (muted.some(mute => mute.source === source && (mute.sourceId ?? sourceId) === sourceId))
    throw rejection(`has muted ${source} "${sourceId}"`)
  if (isBelow(priority, minPriority)) throw rejection(`accepts no messages below the priority ${minPriority}`)
  // Only people have the source "user". An owner gave a key the priority critical, but agents can use it freely.
  const isTrusted = source === 'user' || (priority === 'critical' && actor.kind === 'key')
  return mode === 'approve' && !isTrusted ? 'held' : 'visible'
}

/** True if the first priority is lower than the second. */
export const isBelow = (priority: OobPriority, than: OobPriority): boolean =>
  OobPriority.options.indexOf(priority) < OobPriority.options.indexOf(than)

const rejection = (why: string) =>
  new ApiError(
    'FORBIDDEN',
    `This session ${why}. An operator can change this under "Out-of-band messages…" in the session's menu.`
  )
