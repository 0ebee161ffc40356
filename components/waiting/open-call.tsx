import type { Call } from '@waystation/protocol/call/call.ts'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import { type ReactNode, useMemo } from 'react'
import { client } from '#components/browser/client.ts'
import { OtherCall, OtherHeld, OtherSession } from '#components/session/cards/other-session.tsx'
import { type SessionLocation, sessionPath } from '#components/session/wording/session-path.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Returns the call without the fields that the list adds from its session. */
export const callOf = ({ sessionId, agentId, mine, callTitle, ...call }: WaitingCall): Call => ({
  ...call,
  title: callTitle
})

/**
 * Shows the card of a call outside its session, with the same widget, draft and request as in the session.
 */
export const OpenCall = ({ call, agentName }: { call: WaitingCall; agentName: string }) => (
  <InSession of={call} agentName={agentName} location={{ call: call.toolCallId }}>
    <OtherCall call={callOf(call)} />
  </InSession>
)

/** Shows a held message outside its session, with the buttons that decide about it, and then what became of it. */
export const OpenHeld = ({ message, agentName }: { message: HeldMessage; agentName: string }) => (
  <InSession of={message} agentName={agentName} location={{ oob: message.id }}>
    <OtherHeld message={message} />
  </InSession>
)

type InSessionProps = {
  of: { sessionId: string; agentId: string }
  agentName: string
  location: SessionLocation
  children: ReactNode
}

function InSession({ of: { sessionId, agentId }, agentName, location, children }: InSessionProps) {
  const { me } = useWorkspace()
  const path = sessionPath(sessionId, location)
  const scope = useMemo(() => {
    const may = { send: me.maySend, answer: me.mayAnswer }
    return {
      agent: { agentId, displayName: agentName },
      me: { name: me.name, id: me.id, role: me.role, may },
      may,
      go: () => window.location.assign(path)
    }
  }, [me, agentId, agentName, path])
  return (
    <OtherSession client={client} sessionId={sessionId} {...scope}>
      {children}
    </OtherSession>
  )
}
