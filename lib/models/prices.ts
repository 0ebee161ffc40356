/**
 * Prices in US dollars per million tokens. `cachedPerMillion` is for input from the provider's prompt cache.
 */
export type Price = { inputPerMillion: number; outputPerMillion: number; cachedPerMillion?: number }

/**
 * List prices at standard speed and short context, noted on 2026-11-21 (OpenAI) and 2026-11-29 (the others) from
 * published price lists. Prices change, and can differ in clouds and regions. Long prompts cost more: about double over
 * 272,000 tokens on GPT-6, five times over 100,000 on Claude Haiku 5.5. If exact costs matter, override them in the
 * agent's config (`chat.price`). Without a cached price, cached input costs the full price.
 */
export const PRICES: Readonly<Record<string, Price>> = {
  'gpt-6.2-astra': { inputPerMillion: 8, outputPerMillion: 40, cachedPerMillion: 0.4 },
  'gpt-6.2-sol': { inputPerMillion: 2, outputPerMillion: 10, cachedPerMillion: 0.1 },
  'gpt-6.1-sol': { inputPerMillion: 2, outputPerMillion: 10, cachedPerMillion: 0.1 },
  'gpt-6-astra': { inputPerMillion: 10, outputPerMillion: 50, cachedPerMillion: 1 },
  'gpt-6-sol': { inputPerMillion: 2, outputPerMillion: 10, cachedPerMillion: 0.2 },
  'gpt-6-luna': { inputPerMillion: 0.1, outputPerMillion: 0.5, cachedPerMillion: 0.01 },
  'gpt-5.6-sol': { inputPerMillion: 4, outputPerMillion: 20, cachedPerMillion: 0.4 },
  'gpt-5.6-terra': { inputPerMillion: 2, outputPerMillion: 12, cachedPerMillion: 0.2 },
  'gpt-5.6-luna': { inputPerMillion: 0.2, outputPerMillion: 1.2, cachedPerMillion: 0.02 },
  'gpt-5.5': { inputPerMillion: 5, outputPerMillion: 30, cachedPerMillion: 0.5 },
  'gpt-5.4': { inputPerMillion: 2.5, outputPerMillion: 15, cachedPerMillion: 0.25 },
  'gpt-5.4-mini': { inputPerMillion: 0.75, outputPerMillion: 4.5, cachedPerMillion: 0.075 },
  'gpt-5': { inputPerMillion: 1.25, outputPerMillion: 10, cachedPerMillion: 0.125 },
  'gpt-5-mini': { inputPerMillion: 0.25, outputPerMillion: 2, cachedPerMillion: 0.025 },
  'gpt-5-nano': { inputPerMillion: 0.05, outputPerMillion: 0.4, cachedPerMillion: 0.005 },
  'gpt-4.1': { inputPerMillion: 2, outputPerMillion: 8, cachedPerMillion: 0.5 },
  'gpt-4.1-mini': { inputPerMillion: 0.4, outputPerMillion: 1.6, cachedPerMillion: 0.1 },
  'gpt-4o': { inputPerMillion: 2.5, outputPerMillion: 10, cachedPerMillion: 1.25 },
  'gpt-4o-mini': { inputPerMillion: 0.15, outputPerMillion: 0.6, cachedPerMillion: 0.075 },
  'claude-fable-5-2': { inputPerMillion: 8, outputPerMillion: 40 },
  'claude-fable-5-1': { inputPerMillion: 10, outputPerMillion: 50, cachedPerMillion: 0.25 },
  'claude-fable-5': { inputPerMillion: 10, outputPerMillion: 50, cachedPerMillion: 1 },
  'claude-opus-5-5': { inputPerMillion: 4, outputPerMillion: 20, cachedPerMillion: 0.2 },
  'claude-opus-5': { inputPerMillion: 5, outputPerMillion: 25, cachedPerMillion: 0.5 },
  'claude-opus-4-8': { inputPerMillion: 5, outputPerMillion: 25, cachedPerMillion: 0.5 },
  'claude-opus-4-7': { inputPerMillion: 5, outputPerMillion: 25, cachedPerMillion: 0.5 },
  'claude-opus-4-6': { inputPerMillion: 5, outputPerMillion: 25, cachedPerMillion: 0.5 },
  'claude-opus-4-5': { inputPerMillion: 5, outputPerMillion: 25, cachedPerMillion: 0.5 },
  'claude-opus-4-1': { inputPerMillion: 15, outputPerMillion: 75, cachedPerMillion: 1.5 },
  'claude-sonnet-5-5': { inputPerMillion: 2, outputPerMillion: 10, cachedPerMillion: 0.1 },
  'claude-sonnet-5': { inputPerMillion: 2, outputPerMillion: 10, cachedPerMillion: 0.2 },
  'claude-sonnet-4-6': { inputPerMillion: 3, outputPerMillion: 15, cachedPerMillion: 0.3 },
  'claude-sonnet-4-5': { inputPerMillion: 3, outputPerMillion: 15, cachedPerMillion: 0.3 },
  'claude-haiku-5-5': { inputPerMillion: 0.1, outputPerMillion: 0.5, cachedPerMillion: 0.01 },
  'claude-haiku-4-5': { inputPerMillion: 1, outputPerMillion: 5, cachedPerMillion: 0.1 },
  // From 2026-12-01. Half of it before.
  'gemini-4-argon': { inputPerMillion: 4, outputPerMillion: 20, cachedPerMillion: 0.2 },
  'gemini-2.5-pro': { inputPerMillion: 1.25, outputPerMillion: 10 },
  'mistral-medium-latest': { inputPerMillion: 1.5, outputPerMillion: 7.5 }
}

/** The price of an unlisted model: high enough that a spending cap stops too early rather than too late. */
export const UNKNOWN_PRICE: Price = { inputPerMillion: 3, outputPerMillion: 15 }

/** The demo model runs in this process and costs nothing. */
export const FREE: Price = { inputPerMillion: 0, outputPerMillion: 0 }
