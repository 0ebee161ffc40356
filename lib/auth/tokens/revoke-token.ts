import { notFound } from '@waystation/base/api-error.ts'
import { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'
import { currentGeneration } from './current-generation.ts'

export const RevokeToken = z.object({ sessionId: z.string(), tokenId: z.string().max(64) })
export type RevokeToken = z.infer<typeof RevokeToken>

/** Revokes a session token permanently. Its next request is refused, and its open streams end within 5 s. */
export async function revokeToken(
  ctx: Ctx,
  { sessionId, tokenId }: RevokeToken
): Promise<{ tokenId: string }> {
  demand(ctx.actor, 'edit')
  const { sessionKey } = await currentGeneration(ctx, sessionId)
  const [revoked] = await ctx.sql`
    update session_tokens set revoked_at = clock_timestamp()
    where id = ${tokenId} and session_key = ${sessionKey} and revoked_at is null returning id`
  if (revoked === undefined) throw notFound('token', tokenId)
  return { tokenId }
}
