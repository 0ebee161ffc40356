import { timingSafeEqual } from 'node:crypto'
import { fullTrust, type OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import { environmentKeyName } from '@waystation/protocol/workspace/environment-key.ts'
import { batchLookup } from '#lib/auth/workspaces/batch-lookup.ts'
import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { hashOfKey } from './key-secret.ts'

type Key = { keyId: string; name: string; role: Role; workspaceId: string; outOfBand: OobTrust }
type KeyUse = { hash: string; isStale: boolean }

const findKey = batchLookup<string, Key | undefined>(async hashes => {
  const { sql } = runtime()
  const rows = await sql<(Omit<Key, 'outOfBand'> & { outOfBand: OobTrust | null } & KeyUse)[]>`
    select hash, id as key_id, name, role, workspace_id, out_of_band,
      coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) as is_stale
    from api_keys where hash = any(${hashes as string[]}::text[]) and revoked_at is null`
  const stale = rows.flatMap(({ hash, isStale }) => (isStale ? [hash] : []))
  if (stale.length > 0)
    await sql`
      update api_keys set last_used_at = clock_timestamp() where hash = any(${stale}::text[]) and revoked_at is null`
  const byHash = new Map(
    rows.map(({ hash, isStale: _, ...key }) => [hash, { ...key, outOfBand: key.outOfBand ?? fullTrust }])
  )
  return hashes.map(hash => byHash.get(hash))
})

/**
 * Returns the caller of an API key, or null if the key is unknown or revoked. Records the last use, at most once a
 * minute.
 */
export async function keyActor(secret: string): Promise<Actor | null> {
  const { env } = runtime()
  const hash = hashOfKey(secret)
  if (env.apiKey && timingSafeEqual(Buffer.from(hash), Buffer.from(hashOfKey(env.apiKey))))
    return {
      kind: 'key',
      keyId: 'environment',
      name: environmentKeyName,
      role: 'owner',
      workspaceId: 'default',
      outOfBand: fullTrust
    }
  const key = await findKey(hash)
  return key === undefined ? null : { kind: 'key', ...key }
}
