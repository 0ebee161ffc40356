'use client'
import { CancelWait } from '#components/session/content/cancel-wait.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { Arguments } from './arguments.tsx'
import { Buttons } from './buttons.tsx'
import { useAnswerLink } from './use-answer-link.ts'
import type { WidgetProps } from './widget.ts'

/** Shows a call to an external service: its arguments, and a command that answers in place of the service. */
export function ExternalWidget({ call, place }: WidgetProps) {
  const { may } = useSessionContext()
  const url = useAnswerLink(call.toolCallId, call.state === 'open')
  const curl = url === undefined ? undefined : curlOf(url)
  return (
    <>
      <Arguments input={call.input} />
      {curl === undefined ? null : (
        <figure className="min-w-0">
          <figcaption className="flex items-center justify-between text-muted">
            Answer command
            <CopyButton text={curl} label="Copy curl" />
          </figcaption>
          <ScrollBox label="Answer command">
            <pre className="p-2 font-mono text-mono">{curl}</pre>
          </ScrollBox>
        </figure>
      )}
      {may.answer ? (
        <Buttons place={place}>
          <CancelWait call={call} />
        </Buttons>
      ) : null}
    </>
  )
}

/**
 * Returns a shell command that answers the call. The URL is in single quotes, with its own quotes escaped.
 */
export const curlOf = (url: string) =>
  `curl '${url.replaceAll("'", "'\\''")}' \\\n  -H 'content-type: application/json' \\\n  -d '{"output":{"ok":true}}'`
