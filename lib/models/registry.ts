import type { LanguageModelV4 } from '@ai-sdk/provider'
import { LRUCache } from 'lru-cache'
import { ModelNotConfigured, type ModelProvider, type ModelSettings } from './provider.ts'
import { demoProvider } from './providers/demo.ts'
import { CURRENT_OPENAI_MODEL, isForeign, openaiProvider } from './providers/openai.ts'
import { openaiCompatibleProvider } from './providers/openai-compatible.ts'

const builtIn: readonly ModelProvider[] = [demoProvider, openaiProvider, openaiCompatibleProvider]

/**
 * Returns the concrete `provider/model` of a spec. `default` is OpenAI's current model if a key or another
 * server's base URL is set, else the demo model. Other specs are only trimmed, so that prices can be looked up
 * by them.
 */
export function resolveModelSpec(spec: string, settings: ModelSettings): string {
  if (spec.trim() !== 'default') return spec.trim()
  const hasOpenAI = Boolean(settings.openaiApiKey) || isForeign(settings.openaiBaseUrl)
  return hasOpenAI ? `openai/${settings.defaultModel || CURRENT_OPENAI_MODEL}` : 'demo/demo'
}

/**
 * Returns the model of an agent's config: `demo/demo`, `openai/<model>`, `openai-compatible/<model>` or
 * `default`. The model ID can contain slashes. Sends no request.
 *
 * @param providers the available providers; plugins add theirs
 * @throws ModelNotConfigured for an unknown provider, a missing model ID or a missing key
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
  const provider = providers.find(candidate => candidate.name === name)
  if (!provider) {
    const names = providers.map(candidate => candidate.name).join(', ')
    throw new ModelNotConfigured(`There is no model provider "${name}". Available providers: ${names}.`)
  }
  return provider.model(modelId, settings)
}

/**
 * Returns a function like `modelFor` that creates each model once. A new model of `openai-compatible` compiles
 * its schemas again, which takes several milliseconds of CPU.
 */
export function cachedModels(settings: ModelSettings): (spec: string) => LanguageModelV4 {
  const models = new LRUCache<string, LanguageModelV4>({ max: 100 })
  return spec => {
    const model = models.get(spec) ?? modelFor(spec, settings)
    models.set(spec, model)
    return model
  }
}

/** Returns the provider of a spec and the model ID. Undefined for an unknown provider. */
export function providerOf(
  spec: string,
  settings: ModelSettings
): { provider: ModelProvider; modelId: string } | undefined {
  const { name, modelId } = partsOf(spec, settings)
  const provider = builtIn.find(candidate => candidate.name === name)
  return provider && { provider, modelId }
}

function partsOf(spec: string, settings: ModelSettings): { name: string; modelId: string } {
  const resolved = resolveModelSpec(spec, settings)
  const slash = Math.max(0, resolved.indexOf('/'))
  return { name: resolved.slice(0, slash), modelId: resolved.slice(slash + 1) }
}
