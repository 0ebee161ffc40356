import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions
} from '@ai-sdk/provider'
import { KnownError } from '@waystation/base/known-error.ts'
import type { AcceptedFiles } from '@waystation/protocol/session/file.ts'
import type { ProviderField } from '@waystation/protocol/workspace/models.ts'

/** Values of a provider's fields, by name. A field without a value is absent. */
export type ProviderValues = Readonly<Record<string, string>>

/** A field of a provider, and the environment variable that sets it for all workspaces of the server. */
export type ProviderSetting = ProviderField & { variable?: string }

/**
 * A kind of model provider. `name` is the part of a model name before the first slash. To add one, add a file to
 * `providers/` and a line to `all-providers.ts`.
 */
export type ModelProvider = {
  name: string
  /** Display name, such as `Anthropic`. */
  title: string
  fields: readonly ProviderSetting[]
  /** Model IDs that the UI suggests. The first is the default. Any other ID can be used. */
  models: readonly string[]
  /** Returns why the values cannot be used together, as a sentence. The required fields are set. */
  check?(values: ProviderValues, isServer: boolean): string | undefined
  /**
   * Loads the provider's package, and creates a model with it. Sends no request. Each setting that the package would
   * else read from the environment must be set, because those variables belong to the operator.
   *
   * @param fetch sends the requests
   * @param isServer the values come from the server's environment
   */
  load(
    modelId: string,
    values: ProviderValues,
    fetch: typeof globalThis.fetch | undefined,
    isServer: boolean
  ): Promise<LanguageModelV4>
  /** Returns which files a model accepts. If this is not set, it accepts none. */
  takes?(modelId: string, values: ProviderValues): AcceptedFiles
  /** Returns the options that each request has, unless the agent sets others. */
  options?(modelId: string, call: LanguageModelV4CallOptions): SharedV4ProviderOptions
  /** Returns true if `options` also sets the reasoning of the call, which its package then does not receive. */
  setsReasoning?(modelId: string): boolean
  /** Returns the options that limit a model's reasoning to a number of tokens. Undefined: the provider has no limit. */
  reasoningBudget?(tokens: number, modelId: string): SharedV4ProviderOptions
  /** The names under which its package stores metadata. Default: the provider's name. `all`: those of any provider. */
  metadata?(modelId: string): readonly string[] | 'all'
  /** Changes each prompt, for example to mark what the provider should cache. */
  prepare?(prompt: LanguageModelV4Prompt, modelId: string): LanguageModelV4Prompt
}

/**
 * The error of a model that cannot be used with the current settings. The message says where to change them.
 */
export class ModelNotConfigured extends KnownError {
  static override readonly kind: string = 'ModelNotConfigured'
  readonly code = 'NOT_CONFIGURED'
}
