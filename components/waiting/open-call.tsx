'use client'
import { useEffect, useMemo, useState } from 'react'
import { CallCard } from '#components/session/call-card.tsx'
import { SessionContext, type SessionUse, useSessionState } from '#components/session/session-context.ts'
import { createSessionStore } from '#components/session/session-store.ts'
import { useShell } from '#components/shell/shell-context.ts'
import type { Call } from '#lib/protocol/call.ts'
import type { WaitingCall } from '#lib/protocol/waiting-call.ts'

/** The call alone: what stands at its session in the list is its session's. */
export const callOf = ({
  sessionId: _,
  agentId: __,
  mine: ___,
  title: ____,
  callTitle,
  ...call
}: WaitingCall): Call => (callTitle === undefined ? call : { ...call, title: callTitle })

/** The card of one call outside of its session: the same widget over the same draft, sent the same way. */
export function OpenCall({ call, agentName }: { call: WaitingCall; agentName: string }) {
  const { me } = useShell()
  const [store] = useState(() => createSessionStore({ sessionId: call.sessionId }))
  useEffect(() => store.start(), [store])
  const use = useMemo<SessionUse>(() => {
    const may = { send: me.maySend, answer: me.mayAnswer }
    return {
      sessionId: call.sessionId,
      baseUrl: '',
      store,
      agent: { agentId: call.agentId, displayName: agentName },
      me: { name: me.name, may, ...(me.id === undefined ? {} : { id: me.id, role: me.role }) },
      may,
      go: () => window.location.assign(`/sessions/${call.sessionId}?call=${call.toolCallId}`),
      suggest: () => {}
    }
  }, [call.sessionId, call.toolCallId, call.agentId, agentName, me, store])
  return (
    <SessionContext value={use}>
      <Current call={call} />
    </SessionContext>
  )
}

/** The call as its session's log tells it, which is newer than the list once somebody has settled it. */
function Current({ call }: { call: WaitingCall }) {
  const newest = useSessionState(state => state.transcript.calls[call.toolCallId]) ?? callOf(call)
  if (newest.state !== 'open')
    return (
      <p role="status">
        {newest.state === 'approved' ? 'Approved' : newest.state === 'denied' ? 'Declined' : 'Settled'}
        {newest.answeredBy ? ` by ${newest.answeredBy}` : ''}.
      </p>
    )
  return <CallCard call={newest} place="inline" />
}
