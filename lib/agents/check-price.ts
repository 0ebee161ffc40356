import { ApiError } from '@waystation/base/api-error.ts'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { covers } from '#lib/kernel/scope.ts'

/**
 * Throws `FORBIDDEN` if a caller who is not an owner changes an agent's own price. Spending caps, which only owners
 * set, are calculated with it. `before` is the published configuration, or undefined for a new agent.
 */
export function checkPrice({ actor }: Ctx, before: AgentConfig | undefined, after: AgentConfig): void {
  if (covers(actor, 'own') || !isRepriced(before, after)) return
  throw new ApiError(
    'FORBIDDEN',
    'Only an owner can change "price", or "model" while a price is set, because spending caps use it. Leave both unchanged, or ask an owner.'
  )
}

/** Returns whether a change affects what the agent's tokens cost by its own price. */
export const isRepriced = (before: AgentConfig | undefined, after: AgentConfig): boolean =>
  canonicalJson(ownPrice(before)) !== canonicalJson(ownPrice(after))

/** Returns an agent's own price and its model, or null if it has no price. */
const ownPrice = (config: AgentConfig | undefined) =>
  config?.type === 'chat' && config.chat.price !== undefined
    ? { price: config.chat.price, model: config.chat.model }
    : null
