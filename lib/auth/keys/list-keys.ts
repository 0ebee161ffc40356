import { fullTrust, OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { apiKeys } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'

/** An API key without its secret. Times are ISO 8601. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  role: z.enum(['owner', 'editor', 'operator', 'viewer']),
  outOfBand: OobTrust,
  createdBy: z.string().optional(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().optional()
})
export type ApiKey = z.infer<typeof ApiKey>

export const ListKeys = z.object({})
export type ListKeys = z.infer<typeof ListKeys>

/** Lists the workspace's keys that are not revoked, newest first. Only owners can call it. */
export async function listKeys(ctx: Ctx, _: ListKeys): Promise<{ keys: ApiKey[] }> {
  demand(ctx.actor, 'own')
  const rows = await ctx.db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, ctx.workspaceId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt))
  return { keys: rows.map(toApiKey) }
}

/** Converts a key's row to its public form. */
export const toApiKey = (row: typeof apiKeys.$inferSelect): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  role: row.role,
  outOfBand: row.outOfBand ?? fullTrust,
  ...(row.createdBy === null ? {} : { createdBy: row.createdBy }),
  createdAt: row.createdAt.toISOString(),
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt.toISOString() })
})
