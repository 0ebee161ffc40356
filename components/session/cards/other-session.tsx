import type { WaystationClient } from '@waystation/client'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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

type OtherSessionProps = Pick<SessionUse, 'sessionId' | 'agent' | 'me' | 'may' | 'go' | 'memberParts'> & {
  client: WaystationClient
  children: ReactNode
}

/** Its page shows single cards. */
const noDock = { current: null }

/** Provides the context of another session. The page follows that session and sends answers to it. */
export function OtherSession({ client, children, ...use }: OtherSessionProps) {
  const [store] = useState(() => createSessionStore({ sessionId: use.sessionId, client }))
  useEffect(() => store.start(), [store])
  return (
    <SessionContext.Provider
      value={{
        ...use,
        store,
        dock: noDock,
        can: allCapabilities,
        sessionHref: sessionPath,
        suggest: () => {}
      }}
    >
      {children}
    </SessionContext.Provider>
  )
}

/**
 * Shows one call of the other session. `call` can be out of date, so the state comes from the session's log
 * once it is loaded. With `onSettled`, which is called when the call no longer waits, the card is by itself on a page.
 */
export function OtherCall({ call, onSettled }: { call: Call; onSettled?: () => void }) {
  const newest = useSessionState(state => state.transcript.calls[call.toolCallId]) ?? call
  const isOpen = newest.state === 'open'
  useSettled(isOpen, onSettled)
  if (isOpen) return <CallCard call={newest} place={onSettled === undefined ? 'inline' : 'page'} />
  return (
    <p role="status">
      {newest.state === 'approved' ? 'Approved' : newest.state === 'denied' ? 'Declined' : 'Settled'}
      {newest.answeredBy ? ` by ${newest.answeredBy}` : ''}.
    </p>
  )
}

function useSettled(isOpen: boolean, onSettled: (() => void) | undefined): void {
  const settle = useRef(onSettled)
  settle.current = onSettled
  useEffect(() => {
    if (!isOpen) settle.current?.()
  }, [isOpen])
}

/** Shows a held message of the other session, and once another user or this one has decided, who it was. */
export function OtherHeld({ message, onSettled }: { message: OutOfBand; onSettled?: () => void }) {
  const newest = useSessionState(state => state.transcript.outOfBand[message.id]) ?? message
  const problem = useSessionState(state => state.problem)
  useSettled(newest.status === 'held', onSettled)
  return (
    <>
      {newest.status === 'held' ? (
        <section
          data-held-request
          tabIndex={-1}
          aria-label="Signal"
          className="border-t-2 border-t-you bg-you-tint px-4 py-3"
        >
          <HeldMessage told={newest} />
        </section>
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
