import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AttemptRow, attemptColumns, purposeOf } from './attempt.ts'
import { integrationFor } from './integration.ts'
import type { DeviceCode } from './providers/provider.ts'
import { providerOf } from './providers/provider-of.ts'

/** For how long a poll is one process's, in seconds: longer than a provider may take to be looked up and to answer. */
const patience = 45

/**
 * The code that somebody enters at the provider to go on with this attempt (RFC 8628): the same, however often it is looked
 * at, and it ends the attempt's time with its own. `pollIn`: in how many seconds the provider is to be asked whether it was
 * entered, where nobody does that yet. Throws `ProviderRefused`.
 */
export async function codeOf(ctx: Ctx, attempt: AttemptRow): Promise<{ code: DeviceCode; pollIn?: number }> {
  const { attemptId, integration, scopes } = attempt
  if (attempt.sealed !== null) return { code: opened(ctx, attemptId, attempt.sealed) }
  const provider = await providerOf(ctx, await integrationFor(ctx, integration))
  const { code, expiresIn, interval } = await provider.requestCode(scopes)
  const sealed = ctx.ports.vault.seal(JSON.stringify(code), purposeOf(attemptId))
  // Two looks at once: the first code counts.
  const [kept] = await ctx.sql<{ sealed: string | null }[]>`
    update connection_attempts set sealed = coalesce(sealed, ${sealed}), poll_seconds = ${interval},
      poll_at = clock_timestamp() + make_interval(secs => ${interval}),
      expires_at = least(expires_at, clock_timestamp() + make_interval(secs => ${expiresIn}))
    where id = ${attemptId} and outcome is null returning sealed`
  if (kept === undefined || kept.sealed === null) return { code }
  return { code: opened(ctx, attemptId, kept.sealed), pollIn: interval }
}

/** An attempt whose provider is to be asked now, by this process alone. */
export type Poll = { attempt: AttemptRow; deviceCode: string }

/** Takes a poll that is due; undefined: it is not, somebody else has it, or the attempt is over. */
export async function takePoll(ctx: Ctx, attemptId: string): Promise<Poll | undefined> {
  const [attempt] = await ctx.sql<AttemptRow[]>`
    update connection_attempts set poll_at = clock_timestamp() + make_interval(secs => ${patience})
    where id = ${attemptId} and poll_at <= clock_timestamp() and outcome is null and sealed is not null
      and expires_at > clock_timestamp()
    returning ${attemptColumns(ctx.sql)}`
  if (attempt === undefined || attempt.sealed === null) return undefined
  return { attempt, deviceCode: opened(ctx, attemptId, attempt.sealed).deviceCode }
}

/**
 * In how many seconds to ask again; undefined: the attempt is over. An interval that the provider, or the way to it, finds too
 * short is longer from now on (3.5).
 */
export async function pollAgain(
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

/** The code ran out before it was entered: so did the attempt. The call that asked stays open, and can be connected anew. */
export const expireAttempt = async (ctx: Ctx, attemptId: string): Promise<void> => {
  await ctx.sql`
    update connection_attempts set expires_at = clock_timestamp(), poll_at = null where id = ${attemptId} and outcome is null`
}

/** Attempts whose poll is late by half a minute: its job was lost, or the process that had it died. */
export async function latePolls(ctx: Ctx): Promise<string[]> {
  const late = await ctx.sql<{ id: string }[]>`
    select id from connection_attempts
    where poll_at < clock_timestamp() - interval '30 seconds' and expires_at > clock_timestamp() and outcome is null
    order by poll_at limit 500`
  return late.map(({ id }) => id)
}

const opened = (ctx: Ctx, attemptId: string, sealed: string): DeviceCode =>
  JSON.parse(ctx.ports.vault.open(sealed, purposeOf(attemptId))) as DeviceCode
