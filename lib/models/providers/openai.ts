import { createOpenAI } from '@ai-sdk/openai'
import { acceptsImages } from '#lib/models/accepts-images.ts'
import { ModelNotConfigured, type ModelProvider } from '#lib/models/provider.ts'
import { openaiCompatibleProvider } from './openai-compatible.ts'

/** OpenAI's standard model in the catalogue of the installed `@ai-sdk/openai` 4.0.118. */
export const CURRENT_OPENAI_MODEL = 'gpt-6.1-sol'

const OPENAI_URL = 'https://api.openai.com/v1'

/** Returns whether a base URL is set that is not OpenAI's own. OpenAI's regional hosts are its own. */
export function isForeign(baseUrl: string | undefined): boolean {
  if (!baseUrl) return false
  const host = URL.parse(baseUrl)?.hostname
  return host !== 'api.openai.com' && !host?.endsWith('.api.openai.com')
}

/**
 * OpenAI models through the Responses API. With the base URL of another server, it uses chat completions
 * instead, because other servers support those.
 */
export const openaiProvider: ModelProvider = {
  name: 'openai',
  model(modelId, settings) {
    if (isForeign(settings.openaiBaseUrl)) return openaiCompatibleProvider.model(modelId, settings)
    if (!settings.openaiApiKey) {
      throw new ModelNotConfigured(
        `The model openai/${modelId} needs an API key. Set OPENAI_API_KEY and restart, or choose the model demo/demo.`,
        'OPENAI_API_KEY'
      )
    }
    return createOpenAI({
      apiKey: settings.openaiApiKey,
      // Always set the URL. Otherwise the SDK reads it from the environment and ignores our settings.
      baseURL: settings.openaiBaseUrl || OPENAI_URL,
      fetch: settings.fetch
    })(modelId)
  },
  takes: (modelId, settings) => ({
    images: acceptsImages(modelId),
    documents: acceptsImages(modelId) && !isForeign(settings.openaiBaseUrl)
  })
}
