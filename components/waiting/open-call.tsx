'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { useCallback, useMemo } from 'react'
import { OtherCall, OtherSession } from '#components/session/cards/other-session.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

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
  const { me } = useWorkspace()
  const { sessionId, toolCallId, agentId } = call
  const may = useMemo(() => ({ send: me.maySend, answer: me.mayAnswer }), [me])
  const who = useMemo(
    () => ({ name: me.name, may, ...(me.id === undefined ? {} : { id: me.id, role: me.role }) }),
    [me, may]
  )
  const agent = useMemo(() => ({ agentId, displayName: agentName }), [agentId, agentName])
  const go = useCallback(
    () => window.location.assign(`/sessions/${sessionId}?call=${toolCallId}`),
    [sessionId, toolCallId]
  )
  return (
    <OtherSession sessionId={sessionId} agent={agent} me={who} may={may} go={go}>
      <OtherCall call={callOf(call)} />
    </OtherSession>
  )
}
