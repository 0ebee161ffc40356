import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { charge } from './charge.ts'

/** The cost of model calls: the tokens that the provider reported, and US dollars, partly estimated. */
export type Bill = { inputTokens: number; outputTokens: number; usd: number }

/**
 * Charges the live turn and the session's day for model calls outside of a committed step: a stopped or
 * failed step, or a summary. Requires the session's lock.
 */
export const chargeBill = (
  tx: Ctx,
  session: LockedSession,
  { inputTokens, outputTokens, usd }: Bill
) => tx.sql`
  with charged as (${charge(tx, session, usd)})
  update turns set input_tokens = input_tokens + ${inputTokens}, output_tokens = output_tokens + ${outputTokens},
    usd = usd + ${usd}, budget_usd = budget_usd + ${usd} where id = ${session.turnId}`
