import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Alarms } from '#lib/protocol/session/alarm.ts'
import type { InSession } from '#lib/protocol/session/session.ts'
import { openAlarms } from './alarm-row.ts'

/** The open alarms of a session, the next first. */
export const listAlarms = async (ctx: Ctx, { sessionId }: InSession): Promise<Alarms> =>
  listOwnAlarms(ctx, await sessionKeyOf(ctx, sessionId))

/** The same, for the session's own agent: by `now` it also knows what time it is. */
export async function listOwnAlarms(ctx: Ctx, sessionKey: number): Promise<Alarms> {
  const [clock] = await ctx.sql<{ now: string }[]>`select clock_timestamp() as now`
  return { alarms: await openAlarms(ctx, sessionKey), now: clock?.now ?? '' }
}
