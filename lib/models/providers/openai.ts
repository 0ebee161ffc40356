import { acceptsImages } from '#lib/models/accepts-images.ts'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'
import { compatibleNames, openaiCompatibleProvider } from './openai-compatible.ts'

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
 * Options of the Responses API with which a prompt contains everything that the model needs. By default, the provider
 * stores reasoning for 30 days and the prompt refers to it, so a session that waited longer could not go on.
 */
export const selfContained = { store: false }

/**
 * OpenAI models through the Responses API. With the base URL of another server, it uses chat completions
 * instead, because other servers support those.
 */
export const openaiProvider: ModelProvider = {
  name: 'openai',
  title: 'OpenAI',
  fields: [
    { ...apiKey('OPENAI_API_KEY', false), hint: 'Required, except for another server without keys.' },
    baseUrl('OPENAI_BASE_URL', OPENAI_URL)
  ],
  models: [CURRENT_OPENAI_MODEL, 'gpt-6-astra', 'gpt-6-luna', 'gpt-5.4-mini'],
  check: ({ apiKey, baseUrl }) =>
    apiKey !== undefined || isForeign(baseUrl) ? undefined : 'OpenAI needs an API key.',
  async load(modelId, values, fetch, isServer) {
    const { apiKey, baseUrl: baseURL = OPENAI_URL } = values
    if (isForeign(baseURL)) return openaiCompatibleProvider.load(modelId, values, fetch, isServer)
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ apiKey, baseURL, fetch })(modelId)
  },
  takes: (modelId, { baseUrl }) => ({
    images: acceptsImages(modelId),
    documents: acceptsImages(modelId) && !isForeign(baseUrl)
  }),
  options: () => ({ openai: selfContained }),
  metadata: () => ['openai', ...compatibleNames]
}
