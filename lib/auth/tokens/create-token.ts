import { newId } from '@waystation/base/ids.ts'
import { z } from 'zod'
import { hashOfKey } from '#lib/auth/keys/key-secret.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand, SubjectScopes } from '#lib/kernel/scope.ts'
import { currentGeneration } from './current-generation.ts'
import { newTokenSecret } from './token-secret.ts'

/**
 * The input of a session token. `subject` is the product's ID of its end user. The token is valid for a minute to a
 * day, by default an hour.
 */
export const CreateToken = z.object({
  sessionId: z.string(),
  subject: z.string().trim().min(1).max(255),
  scopes: SubjectScopes,
  ttlSeconds: z.int().min(60).max(86_400).default(3_600)
})
export type CreateToken = z.infer<typeof CreateToken>

export const CreatedToken = z.object({ token: z.string(), expiresAt: z.iso.datetime(), tokenId: z.string() })
export type CreatedToken = z.infer<typeof CreatedToken>

/**
 * Creates a token of one session for one end user. Only this answer contains `token`, because the server stores only
 * its SHA-256. It needs the role editor, because `subject` decides under which name answers are recorded. It also
 * deletes invalid tokens of this session.
 */
export async function createToken(ctx: Ctx, input: CreateToken): Promise<CreatedToken> {
  demand(ctx.actor, 'edit')
  const { sessionKey, generation } = await currentGeneration(ctx, input.sessionId)
  const tokenId = newId('tok')
  const token = newTokenSecret()
  await ctx.sql`
    delete from session_tokens where session_key = ${sessionKey}
      and (revoked_at is not null or expires_at <= clock_timestamp() or generation < ${generation})`
  const [row] = await ctx.sql<{ expiresAt: string }[]>`
    insert into session_tokens
      (id, hash, workspace_id, session_key, generation, subject, scopes, created_by, created_at, expires_at)
    values (${tokenId}, ${hashOfKey(token)}, ${ctx.workspaceId}, ${sessionKey}, ${generation}, ${input.subject},
      ${input.scopes}::jsonb, ${ctx.actor.name}, clock_timestamp(),
      clock_timestamp() + make_interval(secs => ${input.ttlSeconds}))
    returning expires_at`
  return { token, expiresAt: row!.expiresAt, tokenId }
}
