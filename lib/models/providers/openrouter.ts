import { acceptsImages } from '#lib/models/accepts-images.ts'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import { markCached } from '#lib/models/mark-cached.ts'
import type { ModelProvider } from '#lib/models/provider.ts'

/** Models of many makers through OpenRouter. */
export const openrouterProvider: ModelProvider = {
  name: 'openrouter',
  title: 'OpenRouter',
  fields: [apiKey('OPENROUTER_API_KEY'), baseUrl(undefined, 'https://openrouter.ai/api/v1')],
  models: ['anthropic/claude-sonnet-5.5', 'openai/gpt-6.1-sol', 'google/gemini-3.8-flash', 'openrouter/auto'],
  async load(modelId, { apiKey, baseUrl: baseURL }, fetch) {
    const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
    const provider = createOpenRouter({ apiKey, baseURL, fetch })
    return provider.chat(modelId)
  },
  takes: modelId => ({ images: acceptsImages(modelId), documents: acceptsImages(modelId) }),
  options: () => ({ openrouter: { usage: { include: true } } }),
  reasoningBudget: max_tokens => ({ openrouter: { reasoning: { max_tokens } } }),
  // The other makers cache without marks.
  prepare: (prompt, modelId) =>
    modelId.startsWith('anthropic/')
      ? markCached(prompt, { openrouter: { cacheControl: { type: 'ephemeral' } } })
      : prompt
}
