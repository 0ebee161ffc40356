import { FREE, PRICES, type Price, UNKNOWN_PRICE } from './prices.ts'

/** Tokens of one step; the shape of the AI SDK's `LanguageModelUsage`, of which only this is read. */
export type StepUsage = {
  inputTokens?: number
  outputTokens?: number
  inputTokenDetails?: { cacheReadTokens?: number }
}

/**
 * What a model costs: the agent's own price first, then nothing for the demo model, then the noted list price
 * (a dated snapshot costs what its model costs), then the conservative default.
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

/** The cost of one step in US dollars. */
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
