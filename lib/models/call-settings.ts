import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelParameters } from '@waystation/protocol/agent/agent.ts'
import { mergeOptions } from './merge-options.ts'
import type { ModelProvider } from './provider.ts'

/** The options of a model call that an agent's parameters set. */
export type CallSettings = Partial<
  Pick<
    LanguageModelV4CallOptions,
    'temperature' | 'topP' | 'maxOutputTokens' | 'seed' | 'reasoning' | 'providerOptions'
  >
>

/**
 * Converts an agent's parameters to the options of a model call. A budget for reasoning becomes an option of the
 * provider. The agent's own options of the provider win.
 */
export function callSettings(
  { reasoning, reasoningBudget, providerOptions, ...parameters }: ModelParameters = {},
  provider: ModelProvider | undefined,
  modelId: string
): CallSettings {
  const budget =
    reasoningBudget === undefined ? undefined : provider?.reasoningBudget?.(reasoningBudget, modelId)
  const options = mergeOptions(budget, providerOptions as CallSettings['providerOptions'])
  return {
    ...parameters,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(options === undefined ? {} : { providerOptions: options })
  }
}
