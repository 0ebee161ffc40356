import type { LanguageModelV4 } from '@ai-sdk/provider'
import { KnownError } from '@waystation/base/known-error.ts'
import type { AcceptedFiles } from '@waystation/protocol/session/file.ts'

/** The server's model settings (api.md "Settings"). An empty string means that the setting is not set. */
export type ModelSettings = {
  /** `OPENAI_API_KEY` */
  openaiApiKey?: string
  /** `OPENAI_BASE_URL`: the URL of a server that supports OpenAI's chat completions, including `/v1`. */
  openaiBaseUrl?: string
  /**
   * `WAYSTATION_DEFAULT_MODEL`: the model ID for the spec `default`, if OpenAI or a compatible server is
   * configured.
   */
  defaultModel?: string
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/**
 * A model provider. `name` is the part of a spec before the first slash. To add a provider, add a file to
 * `providers/` and a line to `registry.ts`.
 */
export type ModelProvider = {
  name: string
  /** Creates a model without sending a request. Throws `ModelNotConfigured` if a setting is missing. */
  model(modelId: string, settings: ModelSettings): LanguageModelV4
  /** Returns which files a model accepts. If this is not set, it accepts none. */
  takes?(modelId: string, settings: ModelSettings): AcceptedFiles
}

/**
 * The error of a model that cannot be used with the current settings. The message names the variable or field
 * to change.
 */
export class ModelNotConfigured extends KnownError {
  static override readonly kind: string = 'ModelNotConfigured'
  readonly code = 'NOT_CONFIGURED'
  /** The environment variable to set, if one is missing. */
  readonly variable?: string

  constructor(message: string, variable?: string) {
    super(message)
    this.variable = variable
  }
}
