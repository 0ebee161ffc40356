import { isOver } from '@waystation/protocol/age.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import { isToolPart } from '@waystation/protocol/session/message-parts.ts'

/**
 * Returns the keys of the rows that the model no longer receives, because their duration in steps has passed
 * (001-7). The keys are IDs of user messages and of calls. Few conversations contain durations, so the others
 * return early.
 */
export function overIn({ messages, calls }: Transcript): ReadonlySet<string> {
  const over = new Set<string>()
  const fleeting =
    messages.some(({ message }) => message.metadata?.duration !== undefined) ||
    Object.values(calls).some(({ duration }) => duration !== undefined)
  if (!fleeting) return over
  let rounds = 0
  for (const { message } of messages.toReversed()) {
    const { duration } = message.metadata ?? {}
    if (message.role === 'user' && duration !== undefined && isOver({ duration, rounds }))
      over.add(message.id)
    for (const part of message.parts.toReversed()) {
      const call = isToolPart(part) ? calls[part.toolCallId] : undefined
      if (call?.duration !== undefined && isOver({ duration: call.duration, rounds }))
        over.add(call.toolCallId)
      if (part.type === 'step-start') rounds++
    }
  }
  return over
}
