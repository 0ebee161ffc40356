import type { Message, SessionEvent } from '@waystation/client'
import { messageText, partBreak } from './message-text.ts'

type ChunkEvent = Extract<SessionEvent, { type: 'chunk' }>

/** The text of messages that are being written, without the text that was already returned. */
export type TextFlow = {
  /** True if text of the message was returned or skipped, or a complete message without text. */
  knows: (messageId: string) => boolean
  /** Returns the text that a chunk adds to its message. */
  ofChunk: (event: ChunkEvent) => string
  /** Returns the rest of the text of a message, which can be complete or still growing. */
  ofMessage: (message: Message) => string
}

/** Creates a text flow that knows no message. */
export function textFlow(): TextFlow {
  /** How many characters of each message were returned. */
  const lengths = new Map<string, number>()
  /** Messages whose next text is a new part. */
  const breaks = new Set<string>()
  return {
    knows: messageId => lengths.has(messageId),
    ofChunk({ messageId, chunk }) {
      const length = lengths.get(messageId) ?? 0
      if (chunk.type === 'text-start' && length > 0) breaks.add(messageId)
      if (chunk.type !== 'text-delta' || chunk.delta === '') return ''
      const text = `${breaks.delete(messageId) ? partBreak : ''}${chunk.delta}`
      lengths.set(messageId, length + text.length)
      return text
    },
    ofMessage(message) {
      const text = messageText(message)
      const length = lengths.get(message.id) ?? 0
      lengths.set(message.id, Math.max(length, text.length))
      breaks.delete(message.id)
      return text.slice(length)
    }
  }
}
