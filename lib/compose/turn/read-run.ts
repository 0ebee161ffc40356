import { inputOf } from '#lib/engine/worker/read-run.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * A run, according to its turn's row. `rounds` is its number of committed steps, and `before` is the number
 * of those in earlier turns.
 */
type RunState = { input: string; rounds: number; before: number }

/**
 * Returns the run that a turn belongs to. A run starts with a message and continues over each turn in which
 * it was parked (`engine/inbox/schedule-if-runnable.ts`, `begin-step.ts`).
 */
export async function readRun(ctx: Ctx, sessionKey: number, turnId: string): Promise<RunState> {
  const [turn] = await ctx.sql<{ before: number; committed: number; from: number | null }[]>`
    select run_rounds as before, committed, run_from as "from" from turns where id = ${turnId}`
  const { before, committed, from } = turn ?? { before: 0, committed: 0, from: null }
  return { input: await inputOf(ctx, sessionKey, from), rounds: before + committed, before }
}
