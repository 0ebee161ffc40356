import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AttemptRow, attemptColumns, purposeOf } from './attempt.ts'
import { integrationFor } from './integration.ts'
import type { DeviceCode } from './providers/provider.ts'
import { providerOf } from './providers/provider-of.ts'

/**
 * How long a poll belongs to one process, in seconds. Longer than the discovery and the response of a
 * provider can take.
 */
const leaseSeconds = 45

/**
 * Returns the code that the user enters at the provider to continue this attempt (RFC 8628). Repeated calls
 * return the same code, and the attempt expires with it. `pollIn` is the number of seconds until the first
 * poll; undefined if polling has already started. Throws `ProviderError`.
 */
export async function deviceCodeOf(
  ctx: Ctx,
  attempt: AttemptRow
): Promise<{ code: DeviceCode; pollIn?: number }> {
  const { attemptId, integration, scopes } = attempt
  if (attempt.sealed !== null) return { code: decryptCode(ctx, attemptId, attempt.sealed) }
  const provider = await providerOf(ctx, await integrationFor(ctx, integration))
  const { code, expiresIn, interval } = await provider.requestCode(scopes)
  const sealed = ctx.ports.vault.encrypt(JSON.stringify(code), purposeOf(attemptId))
  // If two requests run at the same time, the first code is used.
  const [stored] = await ctx.sql<{ sealed: string | null }[]>`
    update connection_attempts set sealed = coalesce(sealed, ${sealed}), poll_seconds = ${interval},
      poll_at = clock_timestamp() + make_interval(secs => ${interval}),
      expires_at = least(expires_at, clock_timestamp() + make_interval(secs => ${expiresIn}))
    where id = ${attemptId} and outcome is null returning sealed`
  if (stored === undefined || stored.sealed === null) return { code }
  return { code: decryptCode(ctx, attemptId, stored.sealed), pollIn: interval }
}

/** An attempt whose provider this process alone must poll now. */
export type Poll = { attempt: AttemptRow; deviceCode: string }

/**
 * Claims a poll that is due. Returns undefined if it is not due, another process has claimed it, or the
 * attempt is over.
 */
export async function claimPoll(ctx: Ctx, attemptId: string): Promise<Poll | undefined> {
  const [attempt] = await ctx.sql<AttemptRow[]>`
    update connection_attempts set poll_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = ${attemptId} and poll_at <= clock_timestamp() and outcome is null and sealed is not null
      and expires_at > clock_timestamp()
    returning ${attemptColumns(ctx.sql)}`
  if (attempt === undefined || attempt.sealed === null) return undefined
  return { attempt, deviceCode: decryptCode(ctx, attemptId, attempt.sealed).deviceCode }
}

/**
 * Schedules the next poll and returns the seconds until then, or undefined if the attempt is over. If the
 * provider or the network needs a longer interval, it stays longer from now on (RFC 8628, 3.5).
 */
export async function scheduleNextPoll(
  ctx: Ctx,
  attemptId: string,
  longer: 'as before' | 'by five seconds' | 'twice' = 'as before'
): Promise<number | undefined> {
  const [next] = await ctx.sql<{ seconds: number }[]>`
    update connection_attempts set poll_at = clock_timestamp() + make_interval(secs => n.seconds), poll_seconds = n.seconds
    from (select least(60, poll_seconds * ${longer === 'twice' ? 2 : 1} + ${longer === 'by five seconds' ? 5 : 0})::integer as seconds
      from connection_attempts where id = ${attemptId}) n
    where id = ${attemptId} and outcome is null returning n.seconds`
  return next?.seconds
}

/**
 * Expires an attempt whose code was not entered in time. The call that asked for the connection stays open,
 * so the user can try again.
 */
export const expireAttempt = async (ctx: Ctx, attemptId: string): Promise<void> => {
  await ctx.sql`
    update connection_attempts set expires_at = clock_timestamp(), poll_at = null where id = ${attemptId} and outcome is null`
}

/** Returns attempts whose poll is 30 seconds overdue, because its job was lost or its process crashed. */
export async function overduePolls(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from connection_attempts
    where poll_at < clock_timestamp() - interval '30 seconds' and expires_at > clock_timestamp() and outcome is null
    order by poll_at limit 500`
  return rows.map(({ id }) => id)
}

const decryptCode = (ctx: Ctx, attemptId: string, sealed: string): DeviceCode =>
  JSON.parse(ctx.ports.vault.decrypt(sealed, purposeOf(attemptId))) as DeviceCode
