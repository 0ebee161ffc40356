import { useEffect, useRef } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { type TrialProps, TrialSession } from './trial-session.tsx'

/** A session that runs the draft beside its configuration. */
export function TryPane({ draft, trial, config }: TrialProps) {
  const [renew, busy] = useAction(trial.renew)
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current) return
    opened.current = true
    void trial.open()
  }, [trial])
  const { sessionId, fault } = trial
  return (
    <div className="flex h-full min-h-0 flex-col">
      <p role="alert" data-hook="trial-fault" className="border-b px-4 py-2 text-fail empty:hidden">
        {fault}
      </p>
      {sessionId !== undefined ? (
        <TrialSession
          key={sessionId}
          sessionId={sessionId}
          draft={draft}
          trial={trial}
          config={config}
          renew={renew}
          busy={busy}
        />
      ) : fault === '' ? null : (
        <Button className="m-4 self-start" disabled={busy} onClick={() => void renew()}>
          Try again
        </Button>
      )}
    </div>
  )
}
