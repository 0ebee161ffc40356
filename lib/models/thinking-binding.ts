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

/**
 * Lets Claude ignore its earlier thinking if the instructions, the tools or earlier messages have changed since, for
 * example after a handoff. By default, it rejects the request.
 *
 * @param reasoning the agent's parameter, which the package only applies if `thinking` is not set
 */
export function thinkingOf({ reasoning }: Pick<LanguageModelV4CallOptions, 'reasoning'>) {
  if (reasoning === 'none') return {}
  const type = { type: 'adaptive' as const, display: 'summarized' as const }
  const isDefault = reasoning === undefined || reasoning === 'provider-default'
  return { thinking: { ...(isDefault ? {} : type), blockBinding: dropped } }
}

/** The fields of `thinkingOf` in a request of Bedrock. Its package replaces them if `reasoning` is set. */
export const bedrockBinding = {
  anthropicBeta: ['thinking-binding-controls-2026-08-01'],
  additionalModelRequestFields: {
    thinking: { block_binding: { prefix_mismatch_behavior: dropped.prefixMismatchBehavior } }
  }
}
