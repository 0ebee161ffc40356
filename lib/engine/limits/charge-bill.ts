import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { charge } from './charge.ts'

/** What calls of the model took: the tokens that were reported, and US dollars, in part by an estimate. */
export type Bill = { inputTokens: number; outputTokens: number; usd: number }

/**
 * Charges the turn on the head, and the session's day, for what the model was asked outside of any step that is kept: a step
 * that was stopped or failed, a summary. The head is locked.
 */
export const chargeBill = (tx: Ctx, head: LockedSession, { inputTokens, outputTokens, usd }: Bill) => tx.sql`
  with charged as (${charge(tx, head, usd)})
  update turns set input_tokens = input_tokens + ${inputTokens}, output_tokens = output_tokens + ${outputTokens},
    usd = usd + ${usd}, budget_usd = budget_usd + ${usd} where id = ${head.turnId}`
