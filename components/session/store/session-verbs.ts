import { newKey, type SessionClient, type WaystationClient } from '@waystation/client'
import { type Transcript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import { errorText } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { earlierThan, type SessionState, withDeliveries } from './session-state.ts'

type Verbs = {
  client: WaystationClient
  session: SessionClient
  get: () => SessionState
  set: (change: Partial<SessionState>) => void
  setTranscript: (transcript: Transcript, change?: Partial<SessionState>) => void
}

/**
 * The actions on a session, except sending and answering. They are not stored for a retry: an action succeeds
 * now, or `problem` contains the error. Most return the response body, or undefined after an error. Actions
 * that return a `Reply` leave the error to the caller.
 */
export function sessionVerbs({ client, session, get, set, setTranscript }: Verbs) {
  const { call } = client
  const path = { sessionId: session.id }
  async function asked<T>(
    request: Promise<T>,
    next = 'Nothing was changed. Try again.'
  ): Promise<T | undefined> {
    const reply = await replyTo(request)
    set({ problem: reply.ok ? undefined : errorText(reply, next) })
    return reply.ok ? reply.body : undefined
  }
  return {
    removeQueued: (itemId: string) => asked(call('removeMessage', { path: { ...path, itemId } })),
    removeOutOfBand: (oobId: string) => asked(session.outOfBand.remove(oobId)),
    cancelAlarm: (alarmId: string) => asked(call('cancelAlarm', { path: { ...path, alarmId } })),
    /** Hands the session off to another agent. The caller shows the error. */
    handTo: (agentId: string, reason?: string) =>
      replyTo(call('handSession', { path, body: { agentId, reason } })),
    revokeGrant: (grantId: string) => asked(call('revokeSessionGrant', { path: { ...path, grantId } })),
    /** Sends an out-of-band message to the agent at once, and returns its receipt. */
    tell: (...told: Parameters<SessionClient['tell']>) =>
      asked(session.tell(...told), "If the message doesn't appear, send it again."),
    /** Approves a held out-of-band message as the user `me`. `problem` says if another user was first. */
    letIn: async (oobId: string, me: string) => {
      const message = await asked(session.outOfBand.approve(oobId))
      if (message?.approvedBy !== undefined && message.approvedBy !== me)
        set({ problem: `${message.approvedBy} has already approved this message.` })
    },
    /** Sets which out-of-band messages the session accepts. The caller shows the error. */
    setOobPolicy: (policy: Parameters<SessionClient['outOfBand']['setPolicy']>[0]) =>
      replyTo(session.outOfBand.setPolicy(policy)),
    /** Reads the policy again, because changes of the agent's and the workspace's defaults are not events. */
    loadOobPolicy: async () => {
      const before = get().transcript.oobPolicy
      const reply = await replyTo(session.outOfBand.policy())
      const { transcript } = get()
      if (reply.ok && transcript.oobPolicy === before) setTranscript({ ...transcript, oobPolicy: reply.body })
    },
    /** Pins the session to a revision of its agent. Null unpins it. The caller shows the error. */
    pin: (revision: number | null) => replyTo(call('pinRevision', { path, body: { revision } })),
    /** Adds the build kit to the session's overlay, or removes it from there. The caller shows the error. */
    layKit: (buildKit: boolean) => replyTo(call('layOverlay', { path, body: { buildKit } })),
    /** Moves the call's deadline to `seconds` from now. */
    extend: (toolCallId: string, seconds: number) => asked(session.calls.extend(toolCallId, { seconds })),
    /** Cancels one call. All other calls stay pending. */
    cancelCall: (toolCallId: string) => asked(session.calls.cancel(toolCallId)),
    /** Stops the running turn, or asks an external agent to stop. Pending calls stay pending. */
    cancel: () => asked(session.cancel({ turnId: get().transcript.turnId })),
    retryNow: () => asked(call('retryTurn', { path, body: {} })),
    /**
     * Runs a turn again, optionally with another text. `calls` permits canceling pending calls of the removed
     * turns.
     */
    rerun: (messageId: string, body: { text?: string; calls: boolean }) =>
      asked(call('rerunTurn', { path: { ...path, messageId }, body })),
    removeTurn: (messageId: string, calls: boolean) =>
      asked(call('removeTurn', { path: { ...path, messageId }, query: { calls: String(calls) } })),
    /** Creates a session with a copy of the conversation up to and including this turn. */
    branch: (messageId: string) =>
      asked(call('branchSession', { path: { ...path, messageId }, body: { key: newKey() } })),
    rename: (title: string) => asked(call('renameSession', { path, body: { title } })),
    remove: () => asked(client.sessions.delete(session.id)),
    /** Loads the page of messages before the first one, with their calls. */
    loadEarlier: async () => {
      const before = get().transcript.messages[0]?.message.id
      if (before === undefined || get().earlier !== 'more') return
      set({ earlier: 'loading' })
      const page = await asked(session.get({ before }))
      if (page === undefined) return set({ earlier: 'more' })
      const { transcript } = get()
      const older = transcriptOf(page)
      const known = new Set(transcript.messages.map(({ message }) => message.id))
      setTranscript(
        {
          ...transcript,
          messages: [
            ...older.messages.filter(({ message }) => !known.has(message.id)),
            ...transcript.messages
          ],
          calls: { ...older.calls, ...transcript.calls },
          outOfBand: { ...older.outOfBand, ...transcript.outOfBand }
        },
        { earlier: earlierThan(page.messages) }
      )
    },
    /** Loads the session's deliveries. If this fails, each delivery appears with its next event. */
    loadDeliveries: async () => {
      const loaded = await replyTo(call('listDeliveries', { path }))
      if (loaded.ok) set({ deliveries: withDeliveries(get().deliveries, loaded.body.deliveries) })
    },
    /** Sends a message again that the external agent did not accept. */
    resend: (messageId: string) => asked(session.resend(messageId)),
    /** Sends a delivery again that the receiver did not accept, or that it lost. */
    redeliver: (deliveryId: string) => asked(call('redeliver', { path: { ...path, deliveryId } })),
    dismissProblem: () => set({ problem: undefined })
  }
}
