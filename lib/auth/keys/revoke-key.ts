import { notFound } from '@waystation/base/api-error.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { apiKeys } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'

export const RevokeKey = z.object({ keyId: z.string().max(64) })
export type RevokeKey = z.infer<typeof RevokeKey>

/** Revokes a key permanently. Its next request is refused, and its open streams end within 5 s. */
export async function revokeKey(ctx: Ctx, { keyId }: RevokeKey): Promise<{ keyId: string }> {
  demand(ctx.actor, 'own')
  const [revoked] = await ctx.db
    .update(apiKeys)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.workspaceId, ctx.workspaceId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  if (revoked === undefined) throw notFound('key', keyId)
  return { keyId }
}
