import { hashOfKey } from '#lib/auth/keys/key-secret.ts'
import { batchLookup } from '#lib/auth/workspaces/batch-lookup.ts'
import type { Subject } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'

type Token = Omit<Subject, 'kind' | 'name'>

const findToken = batchLookup<string, Token | undefined>(async hashes => {
  const rows = await runtime().sql<(Token & { hash: string })[]>`
    select t.hash, t.id as token_id, t.subject, t.scopes, t.generation, t.workspace_id, s.id as session_id
    from session_tokens t
    join sessions s on s.key = t.session_key and s.workspace_id = t.workspace_id and s.deleted_at is null
    join heads h on h.session_key = t.session_key and h.generation = t.generation
    where t.hash = any(${hashes as string[]}::text[]) and t.revoked_at is null and t.expires_at > clock_timestamp()`
  const byHash = new Map(rows.map(({ hash, ...token }) => [hash, token]))
  return hashes.map(hash => byHash.get(hash))
})

/**
 * Returns the end user of a session token, or null if the token is unknown, revoked or expired by the database's clock.
 * A token is also invalid if its session was deleted, because a revived session has a new generation.
 */
export async function tokenActor(secret: string): Promise<Subject | null> {
  const token = await findToken(hashOfKey(secret))
  return token === undefined ? null : { kind: 'subject', name: token.subject, ...token }
}
