import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'

/**
 * Shows the error of the last failed action until the user dismisses it or another action succeeds. An error
 * that makes the session unavailable cannot be dismissed.
 */
export function ProblemBar() {
  const { store } = useSessionContext()
  const problem = useSessionState(state => state.problem ?? state.gone?.message)
  const gone = useSessionState(state => state.gone !== undefined)
  if (problem === undefined) return null
  return (
    <div role="alert" className="flex shrink-0 items-center gap-3 border-b px-5 py-1 text-fail mid:px-4">
      <span className="min-w-0 flex-1">{problem}</span>
      {gone ? null : (
        <Button tone="quiet" onClick={store.dismissProblem}>
          Dismiss
        </Button>
      )}
    </div>
  )
}
