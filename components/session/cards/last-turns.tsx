import { isToolPart, textOf } from '@waystation/protocol/session/message-parts.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Prose } from '#components/session/content/markdown.tsx'
import { useSessionState } from '#components/session/store/session-context.ts'
import { outcomeOf } from '#components/session/wording/call-words.ts'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'

/** The turns to show. */
const turns = 2

/**
 * Shows the turn that made a call, and the turn before it: messages in full, and each other call as a line. Without a
 * call, or for one in a message that is not loaded, it shows the last turns. The box starts at its end.
 */
export function LastTurns({ toolCallId }: { toolCallId: string | undefined }) {
  const { messages, calls } = useSessionState(state => state.transcript)
  const loaded = useSessionState(state => state.loaded)
  const now = useNow()
  const made = messages.findIndex(({ message }) =>
    message.parts.some(part => isToolPart(part) && part.toolCallId === toolCallId)
  )
  const until = made === -1 ? messages : messages.slice(0, made + 1)
  const starts = until.flatMap(({ message }, at) => (message.role === 'user' ? [at] : []))
  const shown = until.slice(starts.at(-turns) ?? 0)
  return (
    <section
      aria-label="Last messages"
      data-hook="last-turns"
      aria-busy={!loaded}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll (WCAG 2.1.1)
      tabIndex={0}
      // In a reversed column, the browser keeps the end in view.
      className="flex max-h-[48dvh] shrink-0 flex-col-reverse overflow-y-auto border-t aria-busy:h-40"
    >
      <ol className="mb-auto flex flex-col gap-3 py-4">
        {shown.map(({ message }) => (
          <li key={message.id} className="flex flex-col gap-1 empty:hidden">
            {message.role === 'user' ? (
              <p className="bg-panel px-4 py-2 text-person whitespace-pre-wrap [overflow-wrap:anywhere]">
                <VisibleText text={textOf(message)} />
              </p>
            ) : (
              message.parts.map((part, at) => {
                const key = `${message.id} ${at}`
                if (part.type === 'text')
                  return (
                    <div key={key} className="px-4">
                      <Prose text={part.text} />
                    </div>
                  )
                const call = isToolPart(part) ? calls[part.toolCallId] : undefined
                // Its card is below.
                if (call === undefined || call.toolCallId === toolCallId) return null
                return (
                  <p key={key} className="flex min-w-0 gap-2 px-4 text-muted">
                    <code className="shrink-0 font-mono text-mono">{call.toolName}</code>
                    <CutText text={cardHeading(call).short} className="flex-1" />
                    <span className="shrink-0">{outcomeOf(call, now)}</span>
                  </p>
                )
              })
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
