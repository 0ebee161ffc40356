import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'
import { selfContained } from './openai.ts'

/** Grok models through xAI's Responses API. */
export const xaiProvider: ModelProvider = {
  name: 'xai',
  title: 'xAI',
  fields: [apiKey('XAI_API_KEY'), baseUrl(undefined, 'https://api.x.ai/v1')],
  models: ['grok-4.7', 'grok-4.20-reasoning', 'grok-4.20-non-reasoning'],
  async load(modelId, { apiKey, baseUrl: baseURL }, fetch) {
    const { createXai } = await import('@ai-sdk/xai')
    return createXai({ apiKey, baseURL, fetch })(modelId)
  },
  takes: () => ({ images: true, documents: false }),
  options: () => ({ xai: selfContained })
}
