import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelParameters } from '@waystation/protocol/agent/agent.ts'
import type { AcceptedFiles } from '@waystation/protocol/session/file.ts'
import { LRUCache } from 'lru-cache'
import { type CallSettings, callSettings } from './call-settings.ts'
import type { Configured, ConfiguredModels } from './configured.ts'
import { modelFor, partsOf, resolveModelSpec } from './registry.ts'

/** The models of a workspace. A model name is `provider/model` or `default`. */
export type WorkspaceModels = {
  providers: readonly Configured[]
  /** Returns the concrete `provider/model` of a model name. */
  nameOf(spec: string): string
  /** Returns a model. Throws `ModelNotConfigured`. */
  model(spec: string): LanguageModelV4
  /** Returns the provider of a model name, if it is configured. */
  providerOf(spec: string): Configured | undefined
  /** Returns what each request of an agent to this model contains besides the prompt. */
  settingsOf(spec: string, parameters: ModelParameters | undefined): CallSettings
  /** Returns which files a model accepts, as the agent's configuration (`override`) says, else as its provider says. */
  acceptedFiles(spec: string, override?: FilesOverride): AcceptedFiles
}

type FilesOverride = { images?: boolean | undefined; files?: boolean | undefined }

/**
 * Returns the models of these providers. Each model is created once, because some compile their schemas again, which
 * takes several milliseconds of CPU.
 */
export function modelsOf(configured: ConfiguredModels): WorkspaceModels {
  const created = new LRUCache<string, LanguageModelV4>({ max: 100 })
  return {
    providers: [...configured.providers.values()],
    nameOf: spec => resolveModelSpec(spec, configured),
    model(spec) {
      const model = created.get(spec) ?? modelFor(spec, configured)
      created.set(spec, model)
      return model
    },
    providerOf: spec => partsOf(spec, configured).configured,
    settingsOf(spec, parameters) {
      const { configured: provider, modelId } = partsOf(spec, configured)
      return callSettings(parameters, provider?.provider, modelId)
    },
    acceptedFiles(spec, { images, files } = {}) {
      const { configured: provider, modelId } = partsOf(spec, configured)
      const byProvider = provider?.provider.takes?.(modelId, provider.values)
      return {
        images: images ?? byProvider?.images ?? false,
        documents: files ?? byProvider?.documents ?? false
      }
    }
  }
}
