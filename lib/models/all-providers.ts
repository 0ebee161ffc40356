import type { ModelProvider } from './provider.ts'
import { anthropicProvider } from './providers/anthropic.ts'
import { azureProvider } from './providers/azure.ts'
import { bedrockProvider } from './providers/bedrock.ts'
import { cohereProvider } from './providers/cohere.ts'
import { deepseekProvider } from './providers/deepseek.ts'
import { demoProvider } from './providers/demo.ts'
import { gatewayProvider } from './providers/gateway.ts'
import { googleProvider } from './providers/google.ts'
import { groqProvider } from './providers/groq.ts'
import { mistralProvider } from './providers/mistral.ts'
import { ollamaProvider } from './providers/ollama.ts'
import { openaiProvider } from './providers/openai.ts'
import { openaiCompatibleProvider } from './providers/openai-compatible.ts'
import { openrouterProvider } from './providers/openrouter.ts'
import { vertexProvider } from './providers/vertex.ts'
import { xaiProvider } from './providers/xai.ts'

/**
 * The kinds of providers. Without a default model, `default` is the first model of the first configured provider. The
 * demo model is the last, so that it is used only without any other.
 */
export const allProviders: readonly ModelProvider[] = [
  openaiProvider,
  anthropicProvider,
  googleProvider,
  vertexProvider,
  bedrockProvider,
  azureProvider,
  mistralProvider,
  groqProvider,
  xaiProvider,
  deepseekProvider,
  cohereProvider,
  openrouterProvider,
  gatewayProvider,
  ollamaProvider,
  openaiCompatibleProvider,
  demoProvider
]
