import type { Lease } from '#lib/engine/log/session-lock.ts'
import { beginStep } from '#lib/engine/worker/begin-step/begin-step.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Starts a step of the session's live turn, as its owner would. */
export async function beginLiveStep(ctx: Ctx, lease: Lease, known: Parameters<typeof beginStep>[3]) {
  const [head] = await ctx.sql<{ turnId: string | null }[]>`
    select turn_id from heads where session_key = ${lease.sessionKey}`
  return beginStep(ctx, lease, head?.turnId ?? '', known)
}
