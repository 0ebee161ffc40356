import { hash } from 'node:crypto'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { acceptsImages } from '#lib/models/accepts-images.ts'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'

/** Models through Mistral's API. */
export const mistralProvider: ModelProvider = {
  name: 'mistral',
  title: 'Mistral',
  fields: [apiKey('MISTRAL_API_KEY'), baseUrl(undefined, 'https://api.mistral.ai/v1')],
  models: [
    'mistral-large-latest',
    'mistral-medium-latest',
    'mistral-small-latest',
    'magistral-medium-latest'
  ],
  async load(modelId, { apiKey, baseUrl: baseURL }, fetch) {
    const { createMistral } = await import('@ai-sdk/mistral')
    return createMistral({ apiKey, baseURL, fetch })(modelId)
  },
  takes: modelId => {
    const reads = acceptsImages(modelId) || /^mistral-(large|medium|small)/.test(modelId)
    return { images: reads, documents: reads }
  },
  prepare: shortCallIds
}

/** Mistral accepts only call IDs of 9 letters and digits. */
function shortCallIds(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map(message =>
    message.role === 'assistant' || message.role === 'tool'
      ? ({
          ...message,
          content: message.content.map(part =>
            'toolCallId' in part ? { ...part, toolCallId: shortId(part.toolCallId) } : part
          )
        } as typeof message)
      : message
  )
}

const shortId = (id: string) => hash('sha256', id).slice(0, 9)
