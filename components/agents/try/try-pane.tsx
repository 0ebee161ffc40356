import { useEffect, useRef } from 'react'
import { type TrialProps, TrialSession } from './trial-session.tsx'

/** A session that runs the draft beside its configuration. */
export function TryPane(props: TrialProps) {
  const { trial } = props
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
      {sessionId === undefined ? null : <TrialSession key={sessionId} {...props} sessionId={sessionId} />}
    </div>
  )
}
