import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { allProviders } from './all-providers.ts'
import { type Configured, type ConfiguredModels, problemOf } from './configured.ts'
import { lazyModel } from './lazy-model.ts'
import { mergeOptions } from './merge-options.ts'
import { ownHistory } from './own-history.ts'
import { ModelNotConfigured } from './provider.ts'
import { CURRENT_OPENAI_MODEL, isForeign } from './providers/openai.ts'

/**
 * Returns the concrete `provider/model` of a model name. `default` is the default model, else the first model of the
 * first provider, which is the demo model if there is no other. Other names are only trimmed, so that prices can be
 * looked up by them.
 */
export function resolveModelSpec(spec: string, { providers, defaultModel }: ConfiguredModels): string {
  if (spec.trim() !== 'default') return spec.trim()
  const chosen = defaultModel && fullName(defaultModel, providers)
  if (chosen) return chosen
  for (const { name, models } of allProviders)
    if (providers.has(name) && models[0]) return `${name}/${models[0]}`
  return 'demo/demo'
}

/** Adds `openai/` to a model ID without a provider. Returns undefined if OpenAI would be needed but is not configured. */
function fullName(model: string, providers: ConfiguredModels['providers']): string | undefined {
  const name = model.slice(0, Math.max(0, model.indexOf('/')))
  const openai = providers.get('openai')
  if (providers.has(name)) return model
  // Other servers have model IDs such as `meta/llama-4`.
  if (isForeign(openai?.values.baseUrl)) return `openai/${model}`
  if (allProviders.some(provider => provider.name === name)) return model
  return openai === undefined ? undefined : `openai/${model}`
}

/** Returns the provider of a model name and the model's ID. */
export function partsOf(
  spec: string,
  models: ConfiguredModels
): { name: string; modelId: string; configured: Configured | undefined } {
  const resolved = resolveModelSpec(spec, models)
  const slash = Math.max(0, resolved.indexOf('/'))
  const name = resolved.slice(0, slash)
  return { name, modelId: resolved.slice(slash + 1), configured: models.providers.get(name) }
}

/**
 * Returns the model of an agent's configuration: `<provider>/<model>` or `default`. The model ID can contain slashes.
 * Its provider's package is loaded at the first request.
 *
 * @throws ModelNotConfigured for an unknown provider, a missing model ID or a missing key
 */
export function modelFor(spec: string, models: ConfiguredModels): LanguageModelV4 {
  const { name, modelId, configured } = partsOf(spec, models)
  if (!name || !modelId)
    throw new ModelNotConfigured(
      `"${spec}" is not a valid model name. Use the form provider/model, for example openai/${CURRENT_OPENAI_MODEL} or demo/demo.`
    )
  if (configured === undefined) throw new ModelNotConfigured(missingText(name, models))
  const { provider, values, fetch, isServer } = configured
  // Without a value, some packages would read the server's environment.
  const problem = problemOf(provider, values, isServer)
  if (problem !== undefined) throw new ModelNotConfigured(problem)
  const metadata = provider.metadata?.(modelId) ?? [provider.name]
  const prepare = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => {
    const prompt = metadata === 'all' ? options.prompt : ownHistory(options.prompt, name, metadata)
    const { reasoning } = options
    const isSet = reasoning !== 'none' && provider.setsReasoning?.(modelId)
    return {
      ...options,
      reasoning: isSet ? undefined : reasoning,
      prompt: provider.prepare?.(prompt, modelId) ?? prompt,
      providerOptions: mergeOptions(provider.options?.(modelId, options), options.providerOptions)
    }
  }
  return lazyModel(name, modelId, () => provider.load(modelId, values, fetch, isServer), prepare)
}

/** Says how to configure a provider. */
function missingText(name: string, { providers }: ConfiguredModels): string {
  const known = allProviders.find(provider => provider.name === name)
  if (known === undefined)
    return `There is no model provider "${name}". Available providers: ${[...providers.keys()].join(', ')}.`
  const variables = known.fields.flatMap(({ variable }) => variable ?? [])
  const orVariable = variables.length === 0 ? '' : `, or the server operator can set ${variables[0]}`
  return `The model provider ${known.title} is not configured. An owner can add it under Settings → Models${orVariable}.`
}
