import type { FoldedMessage } from '@waystation/protocol/session/apply-chunk.ts'

type Messages = readonly Pick<FoldedMessage, 'message'>[]

/**
 * Tells which texts of an agent are new each time it is asked, each once: those that are whole, in messages that came after
 * what was there at first, or that grew since. Pages of earlier messages, put above the known ones, are not new.
 */
export function newTexts(first: Messages): (now: Messages) => string[] {
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
