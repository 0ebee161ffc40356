'use client'
import type { WaystationClient } from '@waystation/client'
import type { Call } from '@waystation/protocol/call/call.ts'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import {
  allCapabilities,
  type Me,
  SessionContext,
  type SessionUse,
  useSessionState
} from '#components/session/store/session-context.ts'
import { createSessionStore } from '#components/session/store/session-store.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { CallCard } from './call-card.tsx'

type OtherSessionProps = {
  sessionId: string
  client: WaystationClient
  agent: SessionUse['agent']
  me: Me
  may: SessionUse['may']
  go: SessionUse['go']
  children: ReactNode
}

/** Provides the context of another session. The page follows that session and sends answers to it. */
export function OtherSession({ sessionId, client, agent, me, may, go, children }: OtherSessionProps) {
  const [store] = useState(() => createSessionStore({ sessionId, client }))
  useEffect(() => store.start(), [store])
  const use = useMemo<SessionUse>(
    () => ({
      sessionId,
      store,
      agent,
      me,
      may,
      can: allCapabilities,
      sessionHref: sessionPath,
      go,
      suggest: () => {}
    }),
    [sessionId, store, agent, me, may, go]
  )
  return <SessionContext.Provider value={use}>{children}</SessionContext.Provider>
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
