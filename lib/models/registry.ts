import type { LanguageModelV4 } from '@ai-sdk/provider'
import { ModelNotConfigured, type ModelProvider, type ModelSettings } from './provider.ts'
import { demoProvider } from './providers/demo.ts'
import { CURRENT_OPENAI_MODEL, isForeign, openaiProvider } from './providers/openai.ts'
import { openaiCompatibleProvider } from './providers/openai-compatible.ts'

const builtIn: readonly ModelProvider[] = [demoProvider, openaiProvider, openaiCompatibleProvider]

/**
 * The concrete `provider/model` of a spec: `default` is OpenAI's current model when a key (or another server's
 * base URL) is set, else the demo model. Anything else is returned as it came, so prices can be looked up by it.
 */
export function resolveModelSpec(spec: string, settings: ModelSettings): string {
  if (spec.trim() !== 'default') return spec.trim()
  const hasOpenAI = Boolean(settings.openaiApiKey) || isForeign(settings.openaiBaseUrl)
  return hasOpenAI ? `openai/${settings.defaultModel || CURRENT_OPENAI_MODEL}` : 'demo/demo'
}

/**
 * The model an agent's config names: `demo/demo`, `openai/<model>`, `openai-compatible/<model>` or `default`.
 * The model's id may contain slashes. Makes no request.
 *
 * @param providers the families to choose from; plugins add theirs
 * @throws ModelNotConfigured an unknown provider, no model id, or a missing key
 */
export function modelFor(
  spec: string,
  settings: ModelSettings,
  providers: readonly ModelProvider[] = builtIn
): LanguageModelV4 {
  const { name, modelId } = partsOf(spec, settings)
  if (!name || !modelId) {
    throw new ModelNotConfigured(
      `"${spec}" is not a valid model name. Use the form provider/model, for example openai/${CURRENT_OPENAI_MODEL} or demo/demo.`
    )
  }
  const provider = providers.find(one => one.name === name)
  if (!provider) {
    const known = providers.map(one => one.name).join(', ')
    throw new ModelNotConfigured(`There is no model provider "${name}". Available providers: ${known}.`)
  }
  return provider.model(modelId, settings)
}

/** The provider of a spec and its own name for the model; unknown: undefined. */
export function providerOf(
  spec: string,
  settings: ModelSettings
): { provider: ModelProvider; modelId: string } | undefined {
  const { name, modelId } = partsOf(spec, settings)
  const provider = builtIn.find(one => one.name === name)
  return provider && { provider, modelId }
}

function partsOf(spec: string, settings: ModelSettings): { name: string; modelId: string } {
  const concrete = resolveModelSpec(spec, settings)
  const slash = Math.max(0, concrete.indexOf('/'))
  return { name: concrete.slice(0, slash), modelId: concrete.slice(slash + 1) }
}
