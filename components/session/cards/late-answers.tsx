import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { winnerWords } from '#components/session/wording/call-words.ts'
import { Button } from '#components/ui/button.tsx'

/** Shows answers that arrived too late, until the user dismisses them. */
export function LateAnswers() {
  const { store, go } = useSessionContext()
  const late = useSessionState(state => state.late)
  const now = useNow()
  return Object.entries(late).map(([toolCallId, winner]) => (
    <div key={toolCallId} role="status" data-hook="late-answer" className="shrink-0 border-t pr-5 mid:px-6">
      <div className="column">
        <p className="flex min-h-9 flex-wrap items-center gap-x-3 pl-(--gutter)">
          <span>{winnerWords(winner, now)} Your answer was not used.</span>
          <Button data-hook="show-call" tone="quiet" onClick={() => go({ call: toolCallId })}>
            Show call
          </Button>
          <Button tone="quiet" onClick={() => store.forgetLate(toolCallId)}>
            Dismiss
          </Button>
        </p>
      </div>
    </div>
  ))
}
