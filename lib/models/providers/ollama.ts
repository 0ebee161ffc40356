import { baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'
import { compatibleNames, openaiCompatibleProvider } from './openai-compatible.ts'

/** Models of an Ollama server, through its chat completions. */
export const ollamaProvider: ModelProvider = {
  name: 'ollama',
  title: 'Ollama',
  fields: [baseUrl('OLLAMA_BASE_URL', 'http://localhost:11434/v1', true)],
  models: [],
  load: openaiCompatibleProvider.load,
  takes: openaiCompatibleProvider.takes,
  metadata: () => compatibleNames
}
