import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { chatCompletionsWire, textFastPath } from '@waystation/text-stream'
import { acceptsImages } from '#lib/models/accepts-images.ts'
import { ModelNotConfigured, type ModelProvider } from '#lib/models/provider.ts'

/**
 * Models of any server that supports OpenAI's chat completions, at `OPENAI_BASE_URL`. The key is optional,
 * because local servers have none.
 */
export const openaiCompatibleProvider: ModelProvider = {
  name: 'openai-compatible',
  model(modelId, settings) {
    const baseURL = settings.openaiBaseUrl
    if (!baseURL) {
      throw new ModelNotConfigured(
        `The model openai-compatible/${modelId} needs a server URL. Set OPENAI_BASE_URL (for example http://localhost:11434/v1) and restart.`,
        'OPENAI_BASE_URL'
      )
    }
    if (!URL.canParse(baseURL)) {
      throw new ModelNotConfigured(
        'OPENAI_BASE_URL is not a URL. Use one such as http://localhost:11434/v1.',
        'OPENAI_BASE_URL'
      )
    }
    const makeModel = (fetch: typeof globalThis.fetch) =>
      createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        apiKey: settings.openaiApiKey || undefined,
        // Without this option, these servers report no usage in a stream, and the cost would be zero.
        includeUsage: true,
        fetch
      })(modelId)
    return textFastPath(makeModel, chatCompletionsWire, settings.fetch)
  },
  takes: modelId => ({ images: acceptsImages(modelId), documents: false })
}
