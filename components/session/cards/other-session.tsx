import type { WaystationClient } from '@waystation/client'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { HeldMessage } from '#components/session/content/held-message.tsx'
import {
  allCapabilities,
  SessionContext,
  type SessionUse,
  useSessionState
} from '#components/session/store/session-context.ts'
import { createSessionStore } from '#components/session/store/session-store.ts'
import { heldOutcome } from '#components/session/wording/out-of-band-words.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { CallCard } from './call-card.tsx'

type OtherSessionProps = Pick<SessionUse, 'sessionId' | 'agent' | 'me' | 'may' | 'go'> & {
  client: WaystationClient
  children: ReactNode
}

/** Provides the context of another session. The page follows that session and sends answers to it. */
export function OtherSession({ client, children, ...use }: OtherSessionProps) {
  const [store] = useState(() => createSessionStore({ sessionId: use.sessionId, client }))
  useEffect(() => store.start(), [store])
  return (
    <SessionContext.Provider
      value={{ ...use, store, can: allCapabilities, sessionHref: sessionPath, suggest: () => {} }}
    >
      {children}
    </SessionContext.Provider>
  )
}

/**
 * Shows one call of the other session. `call` can be out of date, so the state comes from the session's log
 * once it is loaded.
 */
export function OtherCall({ call }: { call: Call }) {
  const newest = useSessionState(state => state.transcript.calls[call.toolCallId]) ?? call
  if (newest.state === 'open') return <CallCard call={newest} place="inline" />
  return (
    <p role="status">
      {newest.state === 'approved' ? 'Approved' : newest.state === 'denied' ? 'Declined' : 'Settled'}
      {newest.answeredBy ? ` by ${newest.answeredBy}` : ''}.
    </p>
  )
}

/** Shows a held message of the other session, and once another user or this one has decided, who it was. */
export function OtherHeld({ message }: { message: OutOfBand }) {
  const newest = useSessionState(state => state.transcript.outOfBand[message.id]) ?? message
  const problem = useSessionState(state => state.problem)
  return (
    <>
      {newest.status === 'held' ? (
        <HeldMessage told={newest} />
      ) : (
        <p role="status" data-hook="held-outcome">
          {heldOutcome(newest)}
        </p>
      )}
      <p role="alert" className="text-fail">
        {problem}
      </p>
    </>
  )
}
