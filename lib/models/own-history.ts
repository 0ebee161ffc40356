import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider'

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type Part = Assistant['content'][number]

/** The name of our own metadata: the provider of reasoning that has no signature. */
const OURS = 'waystation'

/**
 * Notes the provider of reasoning without a signature, so that no other provider receives it. Reasoning with a
 * signature already names its provider. The parts of an item of OpenAI share one signature, so if the redaction has
 * removed that of one part, the others lose it as well.
 */
export function markOrigin<T extends { type: string; providerOptions?: object }>(
  content: readonly T[],
  provider: string
): T[] {
  const isReasoning = ({ type }: T) => type === 'reasoning'
  const isPlain = ({ providerOptions = {} }: T) => Object.keys(providerOptions).length === 0
  const isRedacted = content.some(part => isReasoning(part) && part.providerOptions && isPlain(part))
  const isItem = ({ providerOptions = {} }: T) =>
    Object.values(providerOptions).some(options => options?.itemId !== undefined)
  return content.map(part =>
    isReasoning(part) && (isPlain(part) || (isRedacted && isItem(part)))
      ? { ...part, providerOptions: { [OURS]: { provider } } }
      : part
  )
}

/**
 * Removes from the agent's messages the reasoning, signatures and other metadata of other providers. These would
 * reject it, or take it for their own.
 *
 * @param provider the name of the configured provider
 * @param names the names under which its package stores metadata
 */
export function ownHistory(
  prompt: LanguageModelV4Prompt,
  provider: string,
  names: readonly string[]
): LanguageModelV4Prompt {
  return prompt.flatMap(message => {
    if (message.role !== 'assistant') return message
    const content = message.content.flatMap(part => ownPart(part, provider, names) ?? [])
    return content.length === 0 ? [] : { ...message, content }
  })
}

function ownPart(part: Part, provider: string, names: readonly string[]): Part | undefined {
  const { providerOptions } = part
  if (providerOptions === undefined) return part
  const own: SharedV4ProviderOptions = {}
  for (const name of names) if (providerOptions[name] !== undefined) own[name] = providerOptions[name]
  const isOwn = Object.keys(own).length > 0
  // Other kinds of parts exist only for the provider that created them.
  const isPrivate = part.type === 'reasoning' || part.type === 'reasoning-file' || part.type === 'custom'
  if (isPrivate && !isOwn && providerOptions[OURS]?.provider !== provider) return undefined
  const { providerOptions: _, ...plain } = part
  return isOwn ? { ...plain, providerOptions: own } : plain
}

/** Removes blank texts, which Claude rejects. A user message that has only blank texts says so. */
export function withoutBlankTexts(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const hasContent = (part: { type: string; text?: string }) =>
    part.type !== 'text' || part.text?.trim() !== ''
  return prompt.flatMap(message => {
    if (message.role !== 'user' && message.role !== 'assistant') return message
    if (message.content.every(hasContent)) return message
    const content = message.content.filter(hasContent)
    if (content.length > 0) return { ...message, content } as LanguageModelV4Message
    return message.role === 'user' ? { ...message, content: [{ type: 'text', text: '(empty message)' }] } : []
  })
}
