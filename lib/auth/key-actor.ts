import { timingSafeEqual } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { apiKeys } from '#db/schema/workspaces.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { house } from '#lib/kernel/house.ts'
import { hashOfKey } from './key-secret.ts'

/** The caller behind an API key, or null when it opens nothing (unknown or revoked). Its use is noted to the minute. */
export async function keyActor(secret: string): Promise<Actor | null> {
  const { db, env } = house()
  const hash = hashOfKey(secret)
  if (env.apiKey && timingSafeEqual(Buffer.from(hash), Buffer.from(hashOfKey(env.apiKey))))
    return {
      kind: 'key',
      keyId: 'environment',
      name: 'Environment key',
      role: 'owner',
      workspaceId: 'default'
    }

  const isThisKey = and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt))
  const [key] = await db.select().from(apiKeys).where(isThisKey)
  if (key === undefined) return null
  if (key.lastUsedAt === null || Date.now() - key.lastUsedAt.getTime() > 60_000)
    await db.update(apiKeys).set({ lastUsedAt: sql`clock_timestamp()` }).where(isThisKey)
  return { kind: 'key', keyId: key.id, name: key.name, role: key.role, workspaceId: key.workspaceId }
}
