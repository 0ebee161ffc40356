import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'

/** Command models through Cohere's API. */
export const cohereProvider: ModelProvider = {
  name: 'cohere',
  title: 'Cohere',
  fields: [apiKey('COHERE_API_KEY'), baseUrl(undefined, 'https://api.cohere.com/v2')],
  models: ['command-a-03-2025', 'command-a-reasoning-08-2025', 'command-a-vision-07-2025'],
  async load(modelId, { apiKey, baseUrl: baseURL }, fetch) {
    const { createCohere } = await import('@ai-sdk/cohere')
    return createCohere({ apiKey, baseURL, fetch })(modelId)
  },
  takes: modelId => ({ images: modelId.includes('vision'), documents: false }),
  reasoningBudget: tokenBudget => ({ cohere: { thinking: { type: 'enabled', tokenBudget } } })
}
