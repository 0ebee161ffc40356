import { notFound } from '@waystation/base/api-error.ts'
import { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'

/**
 * A sign-in as its own user sees it. `current` marks the sign-in of this request, and `userAgent` its browser. Times
 * are ISO 8601.
 */
export const ListedSignIn = z.object({
  id: z.string(),
  userAgent: z.string(),
  email: z.email().optional(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  current: z.boolean()
})
export type ListedSignIn = z.infer<typeof ListedSignIn>

export const ListSignIns = z.object({})
export type ListSignIns = z.infer<typeof ListSignIns>

export const EndSignIn = z.object({ signInId: z.string().max(64) })
export type EndSignIn = z.infer<typeof EndSignIn>

/** `others` keeps the sign-in of this request. */
export const EndSignIns = z.object({ others: z.stringbool().default(false) })
export type EndSignIns = z.infer<typeof EndSignIns>

type Row = { id: string; userAgent: string; email: string | null; createdAt: string; expiresAt: string }

/** Lists the caller's own sign-ins, newest first. An API key has none. */
export async function listSignIns(ctx: Ctx, _: ListSignIns): Promise<{ signIns: ListedSignIn[] }> {
  demand(ctx.actor, 'read')
  const { userId, signInId } = personOf(ctx)
  const rows = await ctx.sql<Row[]>`
    select id, user_agent, email, created_at, expires_at from sign_ins
    where user_id = ${userId} and expires_at > clock_timestamp() order by created_at desc`
  const signIns = rows.map(({ email, ...row }) => ({
    ...row,
    ...(email === null ? {} : { email }),
    current: row.id === signInId
  }))
  return { signIns }
}

/** Ends one of the caller's own sign-ins. Its next request is refused, and its streams and sockets end within 5 s. */
export async function endSignIn(ctx: Ctx, { signInId }: EndSignIn): Promise<{ signInId: string }> {
  demand(ctx.actor, 'read')
  const [ended] = await ctx.sql`
    delete from sign_ins where id = ${signInId} and user_id = ${personOf(ctx).userId} returning id`
  if (ended === undefined) throw notFound('sign-in', signInId)
  return { signInId }
}

/** Ends all of the caller's own sign-ins, or all except the current one. Returns how many ended. */
export async function endSignIns(ctx: Ctx, { others }: EndSignIns): Promise<{ ended: number }> {
  demand(ctx.actor, 'read')
  const { userId, signInId } = personOf(ctx)
  const { count } = await ctx.sql`
    delete from sign_ins where user_id = ${userId} and id is distinct from ${others ? signInId : null}`
  return { ended: count }
}

/** Deletes expired sign-ins and expired records of used sign-in links. */
export async function deleteExpiredSignIns({ sql }: Ctx): Promise<void> {
  await sql`delete from used_links where ends_at < clock_timestamp()`
  await sql`delete from sign_ins where expires_at < clock_timestamp()`
}

const personOf = ({ actor }: Ctx): { userId: string | null; signInId: string | null } =>
  actor.kind === 'person'
    ? { userId: actor.userId, signInId: actor.signInId ?? null }
    : { userId: null, signInId: null }
