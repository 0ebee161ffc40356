import type { Call } from '@waystation/protocol/call/call.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'

/** Shows a command that answers a call in place of its external service. */
export function AnswerCommand({ call }: { call: Call }) {
  const url = useAnswerLink(call)
  if (url === undefined) return null
  const curl = curlOf(url)
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-center justify-between text-muted">
        Answer command
        <CopyButton text={curl} label="Copy curl" />
      </figcaption>
      <ScrollBox label="Answer command">
        <pre className="p-2 font-mono text-mono">{curl}</pre>
      </ScrollBox>
    </figure>
  )
}

/**
 * Returns the link with which the external service answers the call. The link is a capability, so it is not in
 * the log. The page requests it only for users who can answer. Otherwise, and while it loads, this is undefined.
 */
function useAnswerLink({ toolCallId }: Call): string | undefined {
  const { store, may, can } = useSessionContext()
  const asks = may.answer && can.members
  const { data } = useRead({
    queryKey: ['answer link', store.path, toolCallId],
    queryFn: () => store.client.call('answerLink', { path: { ...store.path, toolCallId } }),
    enabled: asks
  })
  return asks ? data?.answerUrl : undefined
}

/**
 * Returns a shell command that answers the call. The URL is in single quotes, with its own quotes escaped.
 */
const curlOf = (url: string) =>
  `curl '${url.replaceAll("'", "'\\''")}' \\\n  -H 'content-type: application/json' \\\n  -d '{"output":{"ok":true}}'`
