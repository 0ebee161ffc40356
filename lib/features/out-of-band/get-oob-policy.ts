import type { EffectiveOobPolicy } from '@waystation/protocol/out-of-band/effective-policy.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readOobSettings } from './read-settings.ts'

/** Returns the policy that applies to a session's out-of-band messages, and where each value comes from. */
export async function getOobPolicy(ctx: Ctx, { sessionId }: InSession): Promise<EffectiveOobPolicy> {
  return (await readOobSettings(ctx, await sessionKeyOf(ctx, sessionId))).policy
}
