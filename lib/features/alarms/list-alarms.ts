import type { Alarms } from '@waystation/protocol/session/alarm.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { openAlarms } from './alarm-row.ts'

/** Returns the open alarms of a session, ordered by their next time. */
export const listAlarms = async (ctx: Ctx, { sessionId }: InSession): Promise<Alarms> =>
  listOwnAlarms(ctx, await sessionKeyOf(ctx, sessionId))

/** Does the same as `listAlarms` for the session's own agent. `now` tells the agent the current time. */
export async function listOwnAlarms(ctx: Ctx, sessionKey: number): Promise<Alarms> {
  const [clock] = await ctx.sql<{ now: string }[]>`select clock_timestamp() as now`
  return { alarms: await openAlarms(ctx, sessionKey), now: clock?.now ?? '' }
}
