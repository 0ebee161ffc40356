import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

const dropped = { prefixMismatchBehavior: 'drop_block' as const }

/** Returns whether a Claude model has this version or a later one. A date in its name is not a version. */
function isSince(modelId: string, major: number, minor: number): boolean {
  const [, first, second = 0] = /claude-[a-z]+-(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(modelId) ?? []
  return Number(first) > major || (Number(first) === major && Number(second) >= minor)
}

/** Claude 5.1 and later bind their thinking to everything before it. */
export const bindsThinking = (modelId: string): boolean => isSince(modelId, 5, 1)

/** Claude 4.7 and later decide how much they think, and reject a budget. */
export const decidesThinking = (modelId: string): boolean => isSince(modelId, 4, 7)

type Reasoning = Pick<LanguageModelV4CallOptions, 'reasoning'>

const adaptive = { type: 'adaptive' as const, display: 'summarized' as const }
const isDefault = ({ reasoning }: Reasoning) => reasoning === undefined || reasoning === 'provider-default'

/**
 * Lets Claude ignore its earlier thinking if the instructions, the tools or earlier messages have changed since, for
 * example after a handoff. By default, it rejects the request.
 *
 * @param call with the agent's parameter for reasoning, which the package only applies if `thinking` is not set
 */
export const thinkingOf = (call: Reasoning) =>
  call.reasoning === 'none'
    ? {}
    : { thinking: { ...(isDefault(call) ? {} : adaptive), blockBinding: dropped } }

/** The efforts of Claude on Bedrock. */
const efforts: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'max' }

/**
 * Returns `thinkingOf` as fields of a request of Bedrock. Its package would replace `thinking` if it received the
 * parameter for reasoning, so that must be left out.
 */
export function bedrockThinking(call: Reasoning, budget = false) {
  if (call.reasoning === 'none') return {}
  const binding = { block_binding: { prefix_mismatch_behavior: dropped.prefixMismatchBehavior } }
  const { reasoning = '' } = call
  return {
    anthropicBeta: ['thinking-binding-controls-2026-08-01'],
    additionalModelRequestFields: {
      thinking: { ...(isDefault(call) && !budget ? {} : adaptive), ...binding },
      ...(isDefault(call) ? {} : { output_config: { effort: efforts[reasoning] ?? reasoning } })
    }
  }
}
