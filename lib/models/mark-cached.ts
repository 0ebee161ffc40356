import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider'

/**
 * Marks the system prompt and the last message. The provider then caches everything before a mark, and finds it again
 * in the next step, whose prompt begins with this one.
 */
export function markCached(
  prompt: LanguageModelV4Prompt,
  mark: SharedV4ProviderOptions
): LanguageModelV4Prompt {
  const lastSystem = prompt.findLastIndex(({ role }) => role === 'system')
  return prompt.map((message, index) =>
    index === lastSystem || index === prompt.length - 1
      ? { ...message, providerOptions: { ...mark, ...message.providerOptions } }
      : message
  )
}
