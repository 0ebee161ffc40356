import { isOver } from '@waystation/protocol/duration.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import { isToolPart } from '@waystation/protocol/session/message.ts'

/**
 * The keys of the rows that the model is not sent any more, since their time in rounds is over (001-7): a person's message by
 * its ID, a call by its own. A round is a step of the agent; nearly every conversation has nothing of the kind.
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
