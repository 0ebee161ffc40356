import { FREE, PRICES, type Price, UNKNOWN_PRICE } from './prices.ts'

/** The token counts of one step: the part of the AI SDK's `LanguageModelUsage` that prices need. */
export type StepUsage = {
  inputTokens?: number
  outputTokens?: number
  inputTokenDetails?: { cacheReadTokens?: number }
}

/**
 * Returns the price of a model: the agent's own price, else nothing for the demo model, else the list price,
 * else the conservative default. A dated snapshot has the price of its model.
 *
 * @param spec the concrete `provider/model` (`resolveModelSpec`)
 */
export function priceOf(spec: string, override?: Price): Price {
  if (override) return override
  if (spec.startsWith('demo/')) return FREE
  const modelId = spec.slice(spec.indexOf('/') + 1)
  const undated = modelId.replace(/-\d{4}-\d{2}-\d{2}$/, '')
  return Object.hasOwn(PRICES, undated) ? PRICES[undated]! : UNKNOWN_PRICE
}

/** Returns the cost of one step in US dollars. */
export function costOf(spec: string, usage: StepUsage, override?: Price): number {
  const price = priceOf(spec, override)
  const input = usage.inputTokens ?? 0
  const cached = Math.min(usage.inputTokenDetails?.cacheReadTokens ?? 0, input)
  const cachedPrice = price.cachedPerMillion ?? price.inputPerMillion
  const dollars =
    (input - cached) * price.inputPerMillion +
    cached * cachedPrice +
    (usage.outputTokens ?? 0) * price.outputPerMillion
  return dollars / 1_000_000
}
