import { runningConfig } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns a column with the out-of-band settings that apply to a session, as `OobPolicyLevels`: its own, those of the
 * agent that speaks, and those of its workspace. The query reads `sessions s` and `workspaces w`, and joins
 * `withAgent`.
 */
export const oobLevels = (ctx: Ctx) => ctx.sql`
  json_build_object('session', s.oob_policy, 'agent', ${runningConfig(ctx)} -> 'outOfBand', 'workspace', w.out_of_band)`
