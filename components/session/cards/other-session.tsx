'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import {
  type Me,
  SessionContext,
  type SessionUse,
  useSessionState
} from '#components/session/store/session-context.ts'
import { createSessionStore } from '#components/session/store/session-store.ts'
import { CallCard } from './call-card.tsx'

type OtherSessionProps = {
  sessionId: string
  baseUrl?: string
  agent: SessionUse['agent']
  me: Me
  may: SessionUse['may']
  go: SessionUse['go']
  children: ReactNode
}

/** Around what stands here of a session that this page is not about: it is followed, answered and told as if it were. */
export function OtherSession({ sessionId, baseUrl = '', agent, me, may, go, children }: OtherSessionProps) {
  const [store] = useState(() => createSessionStore({ sessionId, baseUrl }))
  useEffect(() => store.start(), [store])
  const use = useMemo<SessionUse>(
    () => ({ sessionId, baseUrl, store, agent, me, may, go, suggest: () => {} }),
    [sessionId, baseUrl, store, agent, me, may, go]
  )
  return <SessionContext value={use}>{children}</SessionContext>
}

/** The card of one call in it, as its log tells it: newer than whoever listed it, once somebody has settled it. */
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
