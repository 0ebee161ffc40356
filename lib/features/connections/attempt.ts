import { createHash, randomBytes } from 'node:crypto'
import { notFound } from '@waystation/base/api-error.ts'
import type {
  Attempt,
  AttemptOutcome,
  ConnectMode,
  InAttempt,
  Sharing
} from '@waystation/protocol/connection/connection.ts'
import type { Sql } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'

/** A connection attempt as stored; see `db/schema/connections.ts`. `due`: its time has expired. */
export type AttemptRow = {
  attemptId: string
  workspaceId: string
  integration: string
  slug: string
  mode: ConnectMode
  sharing: Sharing
  owner: string
  ownerName: string
  sessionKey: number | null
  generation: number | null
  toolCallId: string | null
  scopes: string[]
  begunBy: string
  begunById: string
  opener: string
  browserHash: string | null
  stateHash: string | null
  sealed: string | null
  expiresAt: string
  usedAt: string | null
  outcome: AttemptOutcome | null
  due: boolean
}

/** The columns of an AttemptRow, for a `select` or a `returning`. */
export const attemptColumns = (sql: Sql) => sql`
  id as attempt_id, workspace_id, integration, slug, mode, sharing, owner, owner_name,
  session_key, generation, tool_call_id, scopes, begun_by,
  begun_by_id, opener, browser_hash, state_hash, sealed,
  expires_at, used_at, outcome, expires_at <= clock_timestamp() as due`

/** The lifetime of an attempt, from the click to the provider's response, in seconds (short, by RFC 9700, 2.1.2). */
export const attemptSeconds = 600

/** Returns 32 random bytes in base64url, for a URL or a cookie. Only their hash is stored. */
export const newSecret = () => randomBytes(32).toString('base64url')
/** Returns the stored hash of a secret: SHA-256, hexadecimal. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** Returns the encryption context of an attempt's verifier. */
export const purposeOf = (attemptId: string): string => `connection attempt ${attemptId}`

/** Returns the state of an attempt to the user who started it. Throws `NOT_FOUND` for other callers. */
export async function getAttempt(ctx: Ctx, { attemptId }: InAttempt): Promise<Attempt> {
  const [row] = await ctx.sql<AttemptRow[]>`
    select ${attemptColumns(ctx.sql)} from connection_attempts
    where id = ${attemptId} and workspace_id = ${ctx.workspaceId} and begun_by_id = ${identityOf(ctx.actor).id}`
  if (row === undefined) throw notFound('connection attempt', attemptId)
  const { outcome, due } = row
  if (outcome !== null)
    return {
      attemptId,
      state: outcome.connected ? 'connected' : 'failed',
      ...(outcome.words === undefined ? {} : { words: outcome.words })
    }
  return { attemptId, state: due ? 'expired' : 'open' }
}

/**
 * Stores the outcome of an attempt and returns the stored one: only the first outcome takes effect. Locks the
 * attempt until the transaction ends. For an attempt that was deleted meanwhile it returns that it was
 * canceled.
 */
export async function endAttempt(
  ctx: Ctx,
  attemptId: string,
  outcome: AttemptOutcome
): Promise<AttemptOutcome> {
  const [ended] = await ctx.sql<{ outcome: AttemptOutcome }[]>`
    update connection_attempts set outcome = coalesce(outcome, ${outcome}::jsonb),
      used_at = coalesce(used_at, clock_timestamp()), sealed = null, poll_at = null
    where id = ${attemptId} returning outcome`
  return ended?.outcome ?? givenUp
}

/**
 * Cancels an open attempt of the caller. Later responses of the provider are ignored, and access that it
 * grants is revoked. A finished attempt keeps its outcome. The call that asked for the connection stays open.
 * Throws `NOT_FOUND` for the attempt of another user.
 */
export async function cancelAttempt(ctx: Ctx, input: InAttempt): Promise<Attempt> {
  const { state } = await getAttempt(ctx, input)
  if (state === 'open') await endAttempt(ctx, input.attemptId, givenUp)
  return getAttempt(ctx, input)
}

const givenUp: AttemptOutcome = {
  connected: false,
  reason: 'cancelled',
  words: 'The connection attempt was canceled.'
}

/** Deletes attempts that are more than a day old. */
export const deleteOldAttempts = async (ctx: Ctx): Promise<void> => {
  await ctx.sql`delete from connection_attempts where created_at < clock_timestamp() - interval '1 day'`
}
