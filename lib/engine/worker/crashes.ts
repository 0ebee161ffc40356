import type { Ctx } from '#lib/kernel/ctx.ts'
import type { TurnError } from '#lib/protocol/session/event.ts'

/**
 * How many workers may die in a row over the same step of a turn. A few are bad luck (or a chaos test); so many mean that
 * the step itself kills them, and with them the other sessions of their process, every few seconds for ever. Deploys and
 * other clean stops do not count.
 */
export const maxCrashes = 10

/** The code of a turn that failed so. Nothing goes on by itself behind it, not even what was queued. */
export const workerDied = 'WORKER_DIED'

/** Why a turn is not tried again by itself; undefined while there is hope. */
export const poisonTurnError = (crashes: number): TurnError | undefined =>
  crashes < maxCrashes
    ? undefined
    : {
        code: workerDied,
        message: `The server crashed ${crashes} times during this step, so the step is no longer retried. Check the server log: a common cause is too little memory.`,
        retryable: false
      }

/** How many workers died in a row over the step that this turn is at. */
export async function crashCount(ctx: Ctx, turnId: string | null): Promise<number> {
  const [turn] = await ctx.sql<{ crashes: number }[]>`select crashes from turns where id = ${turnId}`
  return turn?.crashes ?? 0
}
