import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'

/** Models through DeepSeek's API. */
export const deepseekProvider: ModelProvider = {
  name: 'deepseek',
  title: 'DeepSeek',
  fields: [apiKey('DEEPSEEK_API_KEY'), baseUrl(undefined, 'https://api.deepseek.com')],
  models: ['deepseek-v4-pro', 'deepseek-v4-flash'],
  async load(modelId, { apiKey, baseUrl: baseURL }, fetch) {
    const { createDeepSeek } = await import('@ai-sdk/deepseek')
    return createDeepSeek({ apiKey, baseURL, fetch })(modelId)
  }
}
