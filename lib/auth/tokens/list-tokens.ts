import { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand, SubjectScopes } from '#lib/kernel/scope.ts'
import { currentGeneration } from './current-generation.ts'

/** A session token without its secret. Times are ISO 8601. */
export const SessionToken = z.object({
  tokenId: z.string(),
  subject: z.string(),
  scopes: SubjectScopes,
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime()
})
export type SessionToken = z.infer<typeof SessionToken>

export const ListTokens = z.object({ sessionId: z.string() })
export type ListTokens = z.infer<typeof ListTokens>

/** The most tokens in a list. The newest come first. */
const maxTokens = 200

/** Lists the valid tokens of this session, newest first. */
export async function listTokens(ctx: Ctx, { sessionId }: ListTokens): Promise<{ tokens: SessionToken[] }> {
  demand(ctx.actor, 'edit')
  const { sessionKey, generation } = await currentGeneration(ctx, sessionId)
  const tokens = await ctx.sql<SessionToken[]>`
    select id as token_id, subject, scopes, created_by, created_at, expires_at
    from session_tokens where session_key = ${sessionKey} and generation = ${generation}
      and revoked_at is null and expires_at > clock_timestamp()
    order by created_at desc, id limit ${maxTokens}`
  return { tokens }
}
