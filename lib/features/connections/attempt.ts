import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type {
  Attempt,
  AttemptOutcome,
  ConnectMode,
  InAttempt,
  Sharing
} from '#lib/protocol/connection/connection.ts'

/** An attempt to connect as it is stored; see `db/schema/connections.ts`. `due`: its time is over. */
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

export const attemptColumns = (sql: Sql) => sql`
  id as attempt_id, workspace_id, integration, slug, mode, sharing, owner, owner_name,
  session_key, generation, tool_call_id, scopes, begun_by,
  begun_by_id, opener, browser_hash, state_hash, sealed,
  expires_at, used_at, outcome, expires_at <= clock_timestamp() as due`

/** How long somebody has, from the click to the provider's answer (RFC 9700, 2.1.2: short). Seconds. */
export const attemptSeconds = 600

/** 32 random bytes for an address or a cookie, and what is kept of them. */
export const newSecret = () => randomBytes(32).toString('base64url')
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** What an attempt's verifier is sealed for. */
export const purposeOf = (attemptId: string): string => `connection attempt ${attemptId}`

/** How an attempt stands, for whoever began it. Somebody else's is not found. */
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
 * Writes down how an attempt ended; the first end counts. Gives it, and locks the attempt until the transaction ends. An attempt
 * that was deleted meanwhile, with whoever began it, was given up.
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
 * Whoever began it gives it up: whatever its provider says from now on is not heard, and what it gives is given back. One
 * that has ended stays as it ended. The call that asked stays open; somebody else's attempt is not found.
 */
export async function dropAttempt(ctx: Ctx, input: InAttempt): Promise<Attempt> {
  const { state } = await getAttempt(ctx, input)
  if (state === 'open') await endAttempt(ctx, input.attemptId, givenUp)
  return getAttempt(ctx, input)
}

const givenUp: AttemptOutcome = {
  connected: false,
  reason: 'cancelled',
  words: 'The connection attempt was canceled.'
}

/** Attempts of yesterday are nobody's business any more. */
export const forgetAttempts = async (ctx: Ctx): Promise<void> => {
  await ctx.sql`delete from connection_attempts where created_at < clock_timestamp() - interval '1 day'`
}
