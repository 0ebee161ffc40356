import { FREE, PRICES, type Price, UNKNOWN_PRICE } from './prices.ts'

/** The token counts of one step. The provider read and wrote parts of the input from and to its cache. */
export type StepUsage = {
  inputTokens?: number
  outputTokens?: number
  cacheRead?: number
  cacheWrite?: number
}

/** Providers that report writes charge this for them, as part of the input price. */
const WRITE_FACTOR = 1.25

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
  const undated = claudeName(modelId) ?? modelId.replace(/-\d{4}-\d{2}-\d{2}$/, '')
  return Object.hasOwn(PRICES, undated) ? PRICES[undated]! : UNKNOWN_PRICE
}

/** Returns the cost of one step in US dollars. */
export function costOf(spec: string, usage: StepUsage, override?: Price): number {
  const price = priceOf(spec, override)
  const input = usage.inputTokens ?? 0
  const read = Math.min(usage.cacheRead ?? 0, input)
  const written = Math.min(usage.cacheWrite ?? 0, input - read)
  // The agent's own price is the same for all input.
  const writeFactor = override ? 1 : WRITE_FACTOR
  const dollars =
    (input - read - written) * price.inputPerMillion +
    read * (price.cachedPerMillion ?? price.inputPerMillion) +
    written * price.inputPerMillion * writeFactor +
    (usage.outputTokens ?? 0) * price.outputPerMillion
  return dollars / 1_000_000
}

/** Returns the common name of a Claude model, which has prefixes, dates and versions on other platforms. */
function claudeName(modelId: string): string | undefined {
  const name = /claude-[a-z]+-\d+(?:[-.]\d{1,2}(?!\d))?/.exec(modelId)?.[0]
  return name?.replace('.', '-')
}
