import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { acceptsImages } from '#lib/models/accepts-images.ts'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'

/** Models of many makers through the Vercel AI Gateway. */
export const gatewayProvider: ModelProvider = {
  name: 'gateway',
  title: 'Vercel AI Gateway',
  fields: [apiKey('AI_GATEWAY_API_KEY'), baseUrl(undefined, 'https://ai-gateway.vercel.sh/v4/ai')],
  models: ['anthropic/claude-sonnet-5.5', 'openai/gpt-6.1-sol', 'google/gemini-3.8-flash'],
  async load(modelId, { apiKey, baseUrl: baseURL }, fetch) {
    const { createGateway } = await import('@ai-sdk/gateway')
    return createGateway({ apiKey, baseURL, fetch })(modelId)
  },
  takes: modelId => ({ images: acceptsImages(modelId), documents: acceptsImages(modelId) }),
  metadata: () => 'all',
  options: () => ({ gateway: { caching: 'auto' } }),
  reasoningBudget: (budgetTokens, modelId): SharedV4ProviderOptions =>
    modelId.startsWith('google/')
      ? { google: { thinkingConfig: { thinkingBudget: budgetTokens } } }
      : { anthropic: { thinking: { type: 'enabled', budgetTokens } } }
}
