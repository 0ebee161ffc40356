import type { Agent, AgentInContext, AgentOverlay } from '@waystation/protocol/agent/agent.ts'
import type { Pinned } from '@waystation/protocol/agent/agent-revision.ts'
import type { SessionHandedOff } from '@waystation/protocol/agent/hand-off.ts'
import type { SubAgents } from '@waystation/protocol/agent/listed-sub-agent.ts'
import type { OverlayState } from '@waystation/protocol/agent/overlay.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { Grant, Grants } from '@waystation/protocol/call/grant.ts'
import type { Delivery, Resent } from '@waystation/protocol/external-agent/delivery.ts'
import type {
  OobPolicy,
  OobReceipt,
  OutOfBand,
  SendOob
} from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Alarm, Alarms } from '@waystation/protocol/session/alarm.ts'
import { foldedMessage } from '@waystation/protocol/session/apply-chunk.ts'
import { applyOob, type Transcript } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import type { SendReceipt } from '@waystation/protocol/session/session.ts'
import type { Branched, RemovedTurn } from '@waystation/protocol/session/turn-action.ts'
import type { Rendered } from '@waystation/protocol/wiki/wiki.ts'
import { unreachable } from '#components/browser/error-text.ts'
import type { Http, Reply } from '#components/browser/http.ts'
import { newKey } from './outbox.ts'
import { earlierThan, type SessionState, withDeliveries } from './session-state.ts'

type Verbs = {
  sessionId: string
  path: string
  http: Http
  get: () => SessionState
  set: (change: Partial<SessionState>) => void
  setTranscript: (transcript: Transcript, change?: Partial<SessionState>) => void
}

/** The optional fields of an out-of-band message. To retry after a lost response, use the same `key`. */
type Telling = Partial<Omit<SendOob, 'sessionId' | 'content'>>

/**
 * The actions on a session, except sending and answering. They are not stored for a retry: an action succeeds
 * now, or `problem` contains the error. Most return the response body, or undefined after an error. Actions
 * that return a `Reply` leave the error to the caller.
 */
export function sessionVerbs({ sessionId, path, http, get, set, setTranscript }: Verbs) {
  async function asked<T>(
    reply: Promise<Reply<T>>,
    lost = `${unreachable} Nothing was changed. Try again.`
  ): Promise<T | undefined> {
    const answer = await reply
    set({ problem: undefined })
    if (answer.ok) return answer.body
    set({
      problem: answer.lost ? lost : answer.refusal.error
    })
    return undefined
  }
  return {
    removeQueued: (itemId: string) =>
      asked(http<unknown>('DELETE', `${path}/messages/${encodeURIComponent(itemId)}`)),
    removeOutOfBand: (oobId: string) =>
      asked(http<unknown>('DELETE', `${path}/oob/${encodeURIComponent(oobId)}`)),
    /** Returns the open alarms, the next one first; undefined if they cannot be loaded. */
    loadAlarms: async (): Promise<Alarm[] | undefined> => {
      const reply = await http<Alarms>('GET', `${path}/alarms`)
      return reply.ok ? reply.body.alarms : undefined
    },
    cancelAlarm: (alarmId: string) =>
      asked(http<unknown>('DELETE', `${path}/alarms/${encodeURIComponent(alarmId)}`)),
    /** Returns the sub-agents and the pending calls below; undefined if they cannot be loaded. */
    loadSubAgents: async (): Promise<SubAgents | undefined> => {
      const reply = await http<SubAgents>('GET', `${path}/sub-agents`)
      return reply.ok ? reply.body : undefined
    },
    /** Returns the remembered approvals for this session; undefined if they cannot be loaded. */
    loadGrants: async (): Promise<Grant[] | undefined> => {
      const reply = await http<Grants>('GET', `${path}/grants`)
      return reply.ok ? reply.body.grants : undefined
    },
    /** Returns the agents of the workspace; undefined if they cannot be loaded. */
    loadAgents: async (): Promise<Agent[] | undefined> => {
      const reply = await http<{ agents: Agent[] }>('GET', '/api/agents')
      return reply.ok ? reply.body.agents : undefined
    },
    /** Hands the session off to another agent. The caller shows the error. */
    handTo: (agentId: string, reason?: string) =>
      http<SessionHandedOff>('PUT', `${path}/speaker`, {
        agentId,
        ...(reason === undefined ? {} : { reason })
      }),
    revokeGrant: (grantId: string) =>
      asked(http<unknown>('DELETE', `${path}/grants/${encodeURIComponent(grantId)}`)),
    /** Returns wikitext as sanitized HTML. The caller shows the error. */
    renderWikitext: (text: string) => http<Rendered>('POST', `${path}/wikitext`, { text }),
    /** Sends an out-of-band message to the agent. */
    tell: (content: string, { key = newKey(), ...more }: Telling = {}) =>
      asked(
        http<OobReceipt>('POST', `${path}/oob`, { content, ...more }, { 'idempotency-key': key }),
        "The server is busy or can't be reached. If the message doesn't appear, send it again."
      ),
    /** Approves a held out-of-band message. */
    letIn: (oobId: string) =>
      asked(http<OutOfBand>('POST', `${path}/oob/${encodeURIComponent(oobId)}/approve`, {})),
    /** Sets which out-of-band messages the session accepts. The caller shows the error. */
    setOobPolicy: (policy: OobPolicy) => http<OobPolicy>('PUT', `${path}/oob/policy`, policy),
    /** Pins the session to a revision of its agent. Null unpins it. The caller shows the error. */
    pin: (revision: number | null) => http<Pinned>('PUT', `${path}/revision`, { revision }),
    /**
     * Applies the build kit of its agent to the session as an overlay, or removes the overlay. The caller
     * shows the error.
     */
    layKit: async (agentId: string, on: boolean): Promise<Reply<OverlayState>> => {
      const lay = (overlay: AgentOverlay | null) => http<OverlayState>('PUT', `${path}/overlay`, { overlay })
      if (!on) return lay(null)
      const agent = await http<AgentInContext>('GET', `/api/agents/${encodeURIComponent(agentId)}`)
      if (!agent.ok) return agent
      const { additional_context: beside } = agent.body as Extract<AgentInContext, { type: 'chat' }>
      return lay(beside?.playground_build_kit.agent_template_overlay ?? null)
    },
    /** Moves the call's deadline to `seconds` from now. */
    extend: (toolCallId: string, seconds: number) =>
      asked(
        http<{ deadline: string }>('POST', `${path}/calls/${encodeURIComponent(toolCallId)}/extend`, {
          seconds
        })
      ),
    /** Cancels one call. All other calls stay pending. */
    cancelCall: (toolCallId: string) =>
      asked(http<{ state: string }>('POST', `${path}/calls/${encodeURIComponent(toolCallId)}/cancel`, {})),
    /** Stops the running turn. Pending calls stay pending. */
    cancel: () => {
      const { turnId } = get().transcript
      return asked(
        http<{ turnId?: string }>('POST', `${path}/cancel`, turnId === undefined ? {} : { turnId })
      )
    },
    retryNow: () => asked(http<unknown>('POST', `${path}/retry`, {})),
    /**
     * Runs a turn again, optionally with another text. `calls` permits canceling pending calls of the removed
     * turns.
     */
    rerun: (messageId: string, { text, calls }: { text?: string; calls: boolean }) =>
      asked(
        http<SendReceipt>('POST', `${path}/turns/${encodeURIComponent(messageId)}/rerun`, {
          calls,
          ...(text === undefined ? {} : { text })
        })
      ),
    removeTurn: (messageId: string, calls: boolean) =>
      asked(
        http<RemovedTurn>('DELETE', `${path}/turns/${encodeURIComponent(messageId)}?calls=${String(calls)}`)
      ),
    /** Creates a session with a copy of the conversation up to and including this turn. */
    branch: (messageId: string) =>
      asked(
        http<Branched>('POST', `${path}/turns/${encodeURIComponent(messageId)}/branch`, { key: newKey() })
      ),
    rename: (title: string) => asked(http<unknown>('PATCH', path, { title })),
    remove: () => asked(http<{ ok: true }>('POST', '/api/plugins/sessions/operations/delete', { sessionId })),
    /** Loads the page of messages before the first one, with their calls. */
    loadEarlier: async () => {
      const before = get().transcript.messages[0]?.message.id
      if (before === undefined || get().earlier !== 'more') return
      set({ earlier: 'loading' })
      const page = await asked(
        http<{ messages: Message[]; calls?: Call[]; outOfBand?: OutOfBand[] }>(
          'GET',
          `${path}?before=${encodeURIComponent(before)}`
        )
      )
      if (page === undefined) return set({ earlier: 'more' })
      const { transcript } = get()
      const known = new Set(transcript.messages.map(({ message }) => message.id))
      const told = page.outOfBand ?? []
      const messages = page.messages
        .filter(message => !known.has(message.id))
        .map(message => told.reduce(applyOob, foldedMessage(message)))
      const calls = Object.fromEntries((page.calls ?? []).map(call => [call.toolCallId, call]))
      setTranscript(
        {
          ...transcript,
          messages: [...messages, ...transcript.messages],
          calls: { ...calls, ...transcript.calls },
          outOfBand: { ...Object.fromEntries(told.map(one => [one.id, one])), ...transcript.outOfBand }
        },
        { earlier: earlierThan(page.messages) }
      )
    },
    /** Loads the session's deliveries. If this fails, each delivery appears with its next event. */
    loadDeliveries: async () => {
      const reply = await http<{ deliveries: Delivery[] }>('GET', `${path}/deliveries`)
      if (reply.ok) set({ deliveries: withDeliveries(get().deliveries, reply.body.deliveries) })
    },
    /** Sends a message again that the external agent did not accept. */
    resend: (messageId: string) => asked(http<Resent>('POST', `${path}/resend`, { messageId })),
    /** Sends a delivery again that the receiver did not accept, or that it lost. */
    redeliver: (deliveryId: string) =>
      asked(http<Delivery>('POST', `${path}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`, {})),
    dismissProblem: () => set({ problem: undefined })
  }
}
