import type { Call } from '@waystation/protocol/call/call.ts'
import type { OpenAttempt } from '@waystation/protocol/connection/connection.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { type ConnectFlow, createConnectFlow } from '#components/browser/connect-flow.ts'
import { useRead } from '#components/browser/queries.tsx'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import type { SessionStore } from '#components/session/store/session-store.ts'

/**
 * `again` returns true if the flow continues although its call is settled. `resume` continues an attempt that the
 * server reports.
 */
type Kept = { flow: ConnectFlow; again: () => boolean; resume: (attempt: OpenAttempt) => void }
/** The flows of a session, by call. They end with the store of the session. */
const flows = new WeakMap<SessionStore, Map<string, Kept>>()

/**
 * Connects the account that a call asks for. All cards of the call in this page share one flow. The
 * provider's response settles the call on the server. This page only reports that the window was closed, or
 * was open for too long. After a reload and in a second tab, the flow continues the user's open attempt.
 */
export function useConnect(call: Call) {
  const { store } = useSessionContext()
  const kept = sharedFlow(store, call.toolCallId)
  const { flow } = kept
  const phase = useSyncExternalStore(flow.subscribe, flow.get, flow.get)
  const isOpen = call.state === 'open'
  useEffect(() => {
    // The provider or another user settled the call while the window was open.
    if (!isOpen && !kept.again()) kept.flow.stop()
  }, [kept, isOpen])
  const path = { ...store.path, toolCallId: call.toolCallId }
  const account = useRead({
    queryKey: ['connection of call', path],
    queryFn: () => store.client.call('getConnectionOfCall', { path }),
    // The user can have started an attempt in another tab.
    refetchOnWindowFocus: 'always'
  })
  const attempt = account.data?.attempt
  useEffect(() => {
    if (attempt !== undefined) kept.resume(attempt)
  }, [kept, attempt])
  return { phase, account, connect: flow.connect, again: flow.again, cancel: flow.cancel }
}

function sharedFlow(store: SessionStore, toolCallId: string): Kept {
  const known = flows.get(store) ?? new Map<string, Kept>()
  flows.set(store, known)
  const flow = known.get(toolCallId) ?? flowOf(store, toolCallId)
  known.set(toolCallId, flow)
  return flow
}

function flowOf(store: SessionStore, toolCallId: string): Kept {
  const { client } = store
  const path = { ...store.path, toolCallId }
  const call = () => store.getState().transcript.calls[toolCallId]
  let again = false
  const flow = createConnectFlow({
    name: `waystation-connect-${toolCallId}`,
    begin(mode) {
      again = call()?.state !== 'open'
      const body = { opener: location.origin, mode, ...(again ? { again } : {}) }
      return replyTo(client.call('connectCall', { path, body }))
    },
    look: attemptId => replyTo(client.connections.attempt(attemptId)),
    drop: attemptId => replyTo(client.connections.cancelAttempt(attemptId)),
    onEnd(reason) {
      if (call()?.state === 'open') store.answer(toolCallId, { output: { connected: false, reason } })
    }
  })
  return {
    flow,
    again: () => again,
    resume(attempt) {
      again = call()?.state !== 'open'
      flow.resume(attempt)
    }
  }
}
