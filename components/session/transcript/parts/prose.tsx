import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { Prose } from '#components/session/content/markdown.tsx'
import { useMark } from '#components/session/store/row-highlight.ts'
import { useSessionState } from '#components/session/store/session-context.ts'
import type { RowProps } from './row-props.ts'

export function ProseRow({ row }: RowProps<'prose'>) {
  const answered = row.answer?.metadata?.inReplyTo
  return (
    <div data-hook="message-bubble" data-role="assistant">
      {answered === undefined ? null : <InReplyTo answered={answered} reply={row.messageId} />}
      <Prose text={row.part.text} streaming={row.part.state === 'streaming'} />
    </div>
  )
}

/** Shows which message a reply answers, unless it is the one directly above. Both props are message IDs. */
function InReplyTo({ answered, reply }: { answered: string; reply: string }) {
  const mark = useMark()
  const isAbove = useSessionState(({ transcript: { messages } }) => {
    const at = messages.findIndex(({ message }) => message.id === reply)
    return messages[at - 1]?.message.id === answered
  })
  const text = useSessionState(({ transcript: { messages, outOfBand } }) => {
    const found = messages.find(({ message }) => message.id === answered)
    return found === undefined ? outOfBand[answered]?.content : textOf(found.message)
  })
  if (isAbove) return null
  if (text === undefined) return <p className="text-ui text-muted">In reply to an earlier message</p>
  return (
    <button
      type="button"
      data-hook="in-reply-to"
      onClick={() => mark.reveal(answered)}
      className="reach block max-w-full truncate text-ui text-muted underline decoration-rail underline-offset-3"
    >
      In reply to: {text}
    </button>
  )
}
