import type { FoldedMessage } from '@waystation/protocol/session/apply-chunk.ts'

type Messages = readonly Pick<FoldedMessage, 'message'>[]

/**
 * Returns a function that takes the current messages and returns the agent's texts that were added since the
 * last call. The first call compares with `first`.
 *
 * - A text that is still streaming is returned later, when it is complete.
 * - Pages of earlier messages, inserted above the known ones, are not new.
 */
export function newReplies(first: Messages): (now: Messages) => string[] {
  const messages = new Set<string>()
  const texts = new Set<string>()
  const take = (now: Messages) => {
    const known = now.findLastIndex(({ message }) => messages.has(message.id))
    return now.flatMap(({ message }, index) => {
      const old = index < known && !messages.has(message.id)
      messages.add(message.id)
      if (message.role !== 'assistant') return []
      return message.parts.flatMap((part, at) => {
        const key = `${message.id}:${at}`
        if (part.type !== 'text' || part.state === 'streaming' || texts.has(key)) return []
        texts.add(key)
        return old ? [] : [part.text]
      })
    })
  }
  take(first)
  return take
}
