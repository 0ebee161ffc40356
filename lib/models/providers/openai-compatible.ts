import { chatCompletionsWire, textFastPath } from '@waystation/text-stream'
import { acceptsImages } from '#lib/models/accepts-images.ts'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'

/**
 * Models of any server that supports OpenAI's chat completions. The key is optional, because local servers have none.
 */
export const openaiCompatibleProvider: ModelProvider = {
  name: 'openai-compatible',
  title: 'OpenAI-compatible server',
  fields: [baseUrl('OPENAI_BASE_URL', 'http://localhost:8000/v1', true), apiKey('OPENAI_API_KEY', false)],
  models: [],
  async load(modelId, { baseUrl: baseURL = '', apiKey }, fetch) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const makeModel = (fetch: typeof globalThis.fetch) =>
      createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        apiKey,
        // Without this option, these servers report no usage in a stream, and the cost would be zero.
        includeUsage: true,
        fetch
      })(modelId)
    return textFastPath(makeModel, chatCompletionsWire, fetch)
  },
  takes: modelId => ({ images: acceptsImages(modelId), documents: false }),
  metadata: () => compatibleNames
}

/** The names of `createOpenAICompatible`, which also stores signatures of Gemini. */
export const compatibleNames = ['openai-compatible', 'openaiCompatible']
