import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Link } from '#components/ui/link.tsx'

/** The actions after a failed turn: retry it now, or change the model. Drafts are not affected. */
export function FailedBar() {
  const { store, may, agentHref } = useSessionContext()
  const failed = useSessionState(state => state.transcript.status === 'failed')
  if (!failed || !may.send) return null
  return (
    <div className="shrink-0 border-t pr-5 mid:px-6">
      <div className="column">
        <div className="flex min-h-12 items-center gap-3 pl-(--gutter)">
          <Button data-hook="retry-turn" onClick={() => void store.retryNow()}>
            Retry now
          </Button>
          {agentHref === undefined ? null : <Link href={agentHref}>Change model</Link>}
        </div>
      </div>
    </div>
  )
}
