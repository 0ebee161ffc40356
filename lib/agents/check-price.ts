import canonicalize from 'canonicalize'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { covers } from '#lib/kernel/scope.ts'
import type { AgentConfig } from '#lib/protocol/agent/agent.ts'

/**
 * Refuses (`403 FORBIDDEN`) callers who are not owners and set, change or remove an agent's own price: spending caps, which only
 * owners set, count by it. `before`: the published configuration; undefined for a new agent.
 */
export function checkPrice({ actor }: Ctx, before: AgentConfig | undefined, after: AgentConfig): void {
  if (covers(actor, 'own') || !isRepriced(before, after)) return
  throw new Refusal(
    'FORBIDDEN',
    'Only an owner can change "price", or "model" while a price is set, because spending caps use it. Leave both unchanged, or ask an owner.'
  )
}

/** Whether tokens of the agent cost something else by a price of its own. */
export const isRepriced = (before: AgentConfig | undefined, after: AgentConfig): boolean =>
  canonicalize(ownPrice(before)) !== canonicalize(ownPrice(after))

/** An agent's own price, and the model that it is for; null: it has none. */
const ownPrice = (config: AgentConfig | undefined) =>
  config?.type === 'chat' && config.chat.price !== undefined
    ? { price: config.chat.price, model: config.chat.model }
    : null
