import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'

/** Gemini models through the Gemini API. */
export const googleProvider: ModelProvider = {
  name: 'google',
  title: 'Google',
  fields: [
    apiKey('GOOGLE_GENERATIVE_AI_API_KEY'),
    baseUrl('GOOGLE_GENERATIVE_AI_BASE_URL', 'https://generativelanguage.googleapis.com/v1beta')
  ],
  models: ['gemini-3.8-flash', 'gemini-4-argon', 'gemini-3.5-flash-lite', 'gemini-2.5-pro'],
  async load(modelId, { apiKey, baseUrl: baseURL }, fetch) {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ apiKey, baseURL, fetch })(modelId)
  },
  takes: () => ({ images: true, documents: true }),
  options: (modelId): SharedV4ProviderOptions =>
    isThinking(modelId) ? { google: { thinkingConfig: { includeThoughts: true } } } : {},
  reasoningBudget: thinkingBudget => ({ google: { thinkingConfig: { thinkingBudget } } })
}

/** Older models reject settings for their thoughts. */
export const isThinking = (modelId: string): boolean => /^gemini-(2\.5|[3-9])/.test(modelId)
