import type { Call } from '@waystation/protocol/call/call.ts'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { useMemo } from 'react'
import { client } from '#components/browser/client.ts'
import { OtherCall, OtherSession } from '#components/session/cards/other-session.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Returns the call without the fields that the list adds from its session. */
export const callOf = ({ sessionId, agentId, mine, callTitle, ...call }: WaitingCall): Call => ({
  ...call,
  title: callTitle
})

/**
 * Shows the card of a call outside its session, with the same widget, draft and request as in the session.
 */
export function OpenCall({ call, agentName }: { call: WaitingCall; agentName: string }) {
  const { me } = useWorkspace()
  const { sessionId, toolCallId, agentId } = call
  const scope = useMemo(() => {
    const may = { send: me.maySend, answer: me.mayAnswer }
    return {
      agent: { agentId, displayName: agentName },
      me: { name: me.name, id: me.id, role: me.role, may },
      may,
      go: () => window.location.assign(sessionPath(sessionId, { call: toolCallId }))
    }
  }, [me, agentId, agentName, sessionId, toolCallId])
  return (
    <OtherSession client={client} sessionId={sessionId} {...scope}>
      <OtherCall call={callOf(call)} />
    </OtherSession>
  )
}
