import { Prose } from '#components/session/content/markdown.tsx'
import { Quote } from '#components/session/content/quote.tsx'
import { Wikitext } from '#components/session/content/wikitext.tsx'
import { useSessionState } from '#components/session/store/session-context.ts'
import type { RowProps } from './row-props.ts'

export function ProseRow({ row }: RowProps<'prose'>) {
  const answered = row.answer?.metadata?.inReplyTo
  return (
    <div data-hook="message-bubble" data-role="assistant">
      {answered === undefined ? null : <InReplyTo answered={answered} reply={row.messageId} />}
      {row.answer?.metadata?.contentType === undefined ? (
        <Prose text={row.part.text} streaming={row.part.state === 'streaming'} />
      ) : (
        <Wikitext text={row.part.text} streaming={row.part.state === 'streaming'} />
      )}
    </div>
  )
}

/** Shows which message a reply answers, unless it is the one directly above. Both props are message IDs. */
function InReplyTo({ answered, reply }: { answered: string; reply: string }) {
  const isAbove = useSessionState(({ transcript: { messages } }) => {
    const at = messages.findIndex(({ message }) => message.id === reply)
    return messages[at - 1]?.message.id === answered
  })
  if (isAbove) return null
  return (
    <Quote
      data-hook="in-reply-to"
      label="In reply to"
      of={answered}
      unknown="In reply to an earlier message"
    />
  )
}
