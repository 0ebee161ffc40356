import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import { markCached } from '#lib/models/mark-cached.ts'
import { withoutBlankTexts } from '#lib/models/own-history.ts'
import type { ModelProvider } from '#lib/models/provider.ts'
import { bindsThinking, decidesThinking, thinkingOf } from '#lib/models/thinking-binding.ts'

/** Newer models have no budget, and decide themselves how much they think. */
export const claudeBudget = (budgetTokens: number, modelId: string): SharedV4ProviderOptions => ({
  anthropic: {
    thinking: decidesThinking(modelId)
      ? { type: 'adaptive', display: 'summarized' }
      : { type: 'enabled', budgetTokens }
  }
})

/** Claude models through Anthropic's API. */
export const anthropicProvider: ModelProvider = {
  name: 'anthropic',
  title: 'Anthropic',
  fields: [apiKey('ANTHROPIC_API_KEY'), baseUrl('ANTHROPIC_BASE_URL', 'https://api.anthropic.com/v1')],
  models: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5', 'claude-fable-5-2'],
  async load(modelId, { apiKey, baseUrl }, fetch) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ apiKey, baseURL: withVersion(baseUrl), fetch })(modelId)
  },
  takes: () => ({ images: true, documents: true }),
  options: (modelId, call): SharedV4ProviderOptions =>
    bindsThinking(modelId) ? { anthropic: thinkingOf(call) } : {},
  reasoningBudget: claudeBudget,
  prepare: prompt => markCached(withoutBlankTexts(prompt), cacheMark)
}

/** Caches the prompt up to the marked message for five minutes. */
export const cacheMark = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** Anthropic's own tools expect a base URL without the version. */
function withVersion(url = 'https://api.anthropic.com/v1'): string {
  const trimmed = url.replace(/\/+$/, '')
  return new URL(trimmed).pathname === '/' ? `${trimmed}/v1` : trimmed
}
