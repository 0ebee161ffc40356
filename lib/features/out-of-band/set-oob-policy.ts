import type { EffectiveOobPolicy } from '@waystation/protocol/out-of-band/effective-policy.ts'
import type { SetOobPolicy } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readOobSettings } from './read-settings.ts'

/**
 * Sets the session's own policy for out-of-band messages and reports the policy that then applies to its clients.
 * Absent values are inherited from the agent or the workspace. Pending messages stay as they are: held ones still need
 * approval, and visible ones are already accepted.
 */
export async function setOobPolicy(ctx: Ctx, input: SetOobPolicy): Promise<EffectiveOobPolicy> {
  const { mode, minPriority, muted } = input
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    const [row] = await tx.sql<{ title: string }[]>`
      update sessions set oob_policy = ${{ mode, minPriority, muted }}::jsonb
      where key = ${session.sessionKey} returning title`
    const { policy } = await readOobSettings(tx, session.sessionKey)
    append(tx, session, [{ type: 'session', title: row?.title ?? '', oobPolicy: policy }])
    return policy
  })
}
