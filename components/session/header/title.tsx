import { useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { Input } from '#components/ui/input.tsx'

/**
 * The title of the session. A click turns it into a field. Enter and leaving the field save the change.
 * Escape and an empty field discard it.
 */
export function Title({ title }: { title: string }) {
  const { sessionId, store, may, can } = useSessionContext()
  const [text, setText] = useState<string>()
  const shown = sessionTitle(title, sessionId)
  // A page that embeds the session has its own first heading, and its users cannot rename the session.
  const Heading = can.ownsPage ? 'h1' : 'h2'
  if (text === undefined)
    return (
      <Heading className="min-w-0 text-ui font-semibold">
        {may.send && can.members ? (
          <button
            type="button"
            title="Rename session"
            className="tap max-w-full text-left"
            onClick={() => setText(title)}
          >
            <CutText text={shown} />
          </button>
        ) : (
          <CutText text={shown} />
        )}
      </Heading>
    )
  const keep = () => {
    const next = text.trim()
    setText(undefined)
    if (next !== '' && next !== title) void store.rename(next)
  }
  return (
    <Input
      aria-label="Session title"
      // The field can take the focus, because the user clicked the title to edit it.
      ref={field => field?.focus()}
      value={text}
      maxLength={200}
      onChange={event => setText(event.target.value)}
      onBlur={keep}
      onKeyDown={event => {
        if (event.key === 'Enter') keep()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setText(undefined)
      }}
      className="text-ui font-semibold mid:w-[36ch]"
    />
  )
}
