import type { Transcript } from '@waystation/protocol/session/fold.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { useMark } from '#components/session/store/row-highlight.ts'
import { useSessionState } from '#components/session/store/session-context.ts'

type QuoteProps = {
  label: string
  /** The ID of a message, an out-of-band message or a call. */
  of: string
  /** Shown if the loaded transcript does not contain it. Default: the label and the ID. */
  unknown?: string
  'data-hook': string
}

/** A line that quotes another row of the transcript, and shows that row on a click. */
export function Quote({ label, of, unknown = `${label}: ${of}`, ...hook }: QuoteProps) {
  const mark = useMark()
  const text = useSessionState(({ transcript }) => quoted(transcript, of))
  if (text === undefined)
    return (
      <p {...hook} className="truncate text-ui text-muted">
        {unknown}
      </p>
    )
  return (
    <button
      type="button"
      {...hook}
      onClick={() => mark.reveal(of)}
      className="reach block max-w-full truncate text-ui text-muted underline decoration-rail underline-offset-3"
    >
      {label}: {text}
    </button>
  )
}

function quoted({ messages, outOfBand, calls }: Transcript, id: string): string | undefined {
  const found = messages.find(({ message }) => message.id === id)
  if (found !== undefined) return textOf(found.message)
  return outOfBand[id]?.content ?? calls[id]?.title ?? calls[id]?.toolName
}
