'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { useCallback, useMemo } from 'react'
import { client } from '#components/browser/client.ts'
import { OtherCall, OtherSession } from '#components/session/cards/other-session.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Returns the call without the fields that the list adds from its session. */
export const callOf = ({
  sessionId: _,
  agentId: __,
  mine: ___,
  title: ____,
  callTitle,
  ...call
}: WaitingCall): Call => (callTitle === undefined ? call : { ...call, title: callTitle })

/**
 * Shows the card of a call outside its session, with the same widget, draft and request as in the session.
 */
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
    () => window.location.assign(sessionPath(sessionId, { call: toolCallId })),
    [sessionId, toolCallId]
  )
  return (
    <OtherSession client={client} sessionId={sessionId} agent={agent} me={who} may={may} go={go}>
      <OtherCall call={callOf(call)} />
    </OtherSession>
  )
}
