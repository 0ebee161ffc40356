import type { LanguageModelV4 } from '@ai-sdk/provider'
import { KnownError } from '#lib/kernel/known-error.ts'

/** What the installation says about its models (api.md "Settings"). Empty strings count as unset. */
export type ModelSettings = {
  /** `OPENAI_API_KEY` */
  openaiApiKey?: string
  /** `OPENAI_BASE_URL`: any server that speaks OpenAI's chat completions, up to and including `/v1`. */
  openaiBaseUrl?: string
  /** `WAYSTATION_DEFAULT_MODEL`: the model id behind the spec `default` when OpenAI (or a compatible server) is configured. */
  defaultModel?: string
  /** How requests leave this server; the global `fetch` when absent. */
  fetch?: typeof globalThis.fetch
}

/**
 * A family of models. `name` is what stands before the first slash of a spec. A new one is a file in `providers/`
 * and a line in `registry.ts`.
 */
export type ModelProvider = {
  name: string
  /** Makes a model; calls nothing. Throws `ModelNotConfigured` when a setting is missing. */
  model(modelId: string, settings: ModelSettings): LanguageModelV4
  /** Which files a model of this name takes as they are; absent: none. */
  takes?(modelId: string, settings: ModelSettings): TakenFiles
}

/** The kinds of file that a model takes as they are: images, and documents (PDF). */
export type TakenFiles = { images: boolean; documents: boolean }

/** The agent's model cannot be used as things are set. The message says which variable or field to change. */
export class ModelNotConfigured extends KnownError {
  static override readonly kind: string = 'ModelNotConfigured'
  readonly code = 'NOT_CONFIGURED'
  /** The environment variable to set, when one is missing. */
  readonly variable?: string

  constructor(message: string, variable?: string) {
    super(message)
    this.variable = variable
  }
}
