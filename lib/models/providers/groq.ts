import { acceptsImages } from '#lib/models/accepts-images.ts'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'

/** Open models through Groq's API. */
export const groqProvider: ModelProvider = {
  name: 'groq',
  title: 'Groq',
  fields: [apiKey('GROQ_API_KEY'), baseUrl(undefined, 'https://api.groq.com/openai/v1')],
  models: ['openai/gpt-oss-120b', 'openai/gpt-oss-20b', 'qwen/qwen3.6-27b', 'llama-3.3-70b-versatile'],
  async load(modelId, { apiKey, baseUrl: baseURL }, fetch) {
    const { createGroq } = await import('@ai-sdk/groq')
    return createGroq({ apiKey, baseURL, fetch })(modelId)
  },
  takes: modelId => ({ images: acceptsImages(modelId), documents: false })
}
