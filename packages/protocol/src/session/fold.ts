import type { Speaker } from '@waystation/protocol/agent/hand-off.ts'
import type { SubAgentNews } from '@waystation/protocol/agent/sub-agent.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { AgentStatus } from '@waystation/protocol/external-agent/agent-status.ts'
import { builtInPolicy } from '@waystation/protocol/out-of-band/effective-policy.ts'
import type { OobPolicy, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { AlarmNews } from './alarm.ts'
import { applyChunk, type FoldedMessage, foldedMessage, patchTool } from './apply-chunk.ts'
import type { SessionEvent, SessionStatus, Snapshot, TurnError } from './event.ts'
import type { Message } from './message.ts'
import { isToolPart } from './message-parts.ts'

/**
 * A session, derived from its log. The same fold runs on the server and in the browser
 * (docs/concepts/engine.md#concepts). `messages` are in display order. `calls` and `outOfBand` are by ID.
 */
export type Transcript = {
  messages: readonly FoldedMessage[]
  calls: Readonly<Record<string, Call>>
  outOfBand: Readonly<Record<string, OutOfBand>>
  status: SessionStatus
  turnId?: string
  title: string
  oobPolicy: OobPolicy
  /** The revision that the session is pinned to. */
  pinnedRevision?: number
  /** True if an overlay changes its agent. */
  overlaid?: true
  /** True if the overlay contains the build kit. */
  buildKit?: true
  /** The agent that runs it, if it was handed off. */
  speaker?: Speaker
  /** Its alarms, if it has or had any. The object is replaced when one changes. */
  alarms?: AlarmNews
  /** Its sub-agents, if it has or had any. The object is replaced when one changes. */
  subAgents?: SubAgentNews
  /** The status line of the external agent, until it expires. */
  agentStatus?: AgentStatus
  error?: TurnError
  retryAt?: string
  cursor: number
}

/** The state before the first event. */
export const emptyTranscript: Transcript = {
  messages: [],
  calls: {},
  outOfBand: {},
  status: 'idle',
  title: '',
  oobPolicy: builtInPolicy,
  cursor: 0
}

/** Returns the transcript of a snapshot. */
export function transcriptOf(snapshot: Snapshot): Transcript {
  // A server of the previous version does not send out-of-band messages.
  const { messages, calls, outOfBand = [], oobPolicy = emptyTranscript.oobPolicy, ...rest } = snapshot
  return {
    ...rest,
    oobPolicy,
    messages: messages.map(message => outOfBand.reduce(applyOob, foldedMessage(message))),
    outOfBand: Object.fromEntries(outOfBand.map(oob => [oob.id, oob])),
    calls: Object.fromEntries(calls.map(call => [call.toolCallId, call]))
  }
}

/**
 * Applies one event. Events at or below the cursor change nothing, so a client that reconnects can receive them twice.
 */
export function applyEvent(transcript: Transcript, event: SessionEvent): Transcript {
  if (event.type === 'reset') return transcriptOf(event)
  if (event.seq <= transcript.cursor) return transcript
  const next = { ...transcript, cursor: event.seq }
  switch (event.type) {
    case 'chunk':
      return withMessage(next, event.messageId, event.at, event.turnId, folded =>
        applyChunk(folded, event.chunk)
      )
    case 'message': {
      const at = next.messages.findIndex(({ message }) => message.id === event.message.id)
      const folded = Object.values(next.outOfBand).reduce(
        applyOob,
        withCalls(foldedMessage(event.message), next.calls)
      )
      // An update for a message of an earlier page that is not loaded. It arrives with that page.
      if (at < 0 && !event.placed && isEarlier(event.message, next.messages[0]?.message)) return next
      if (at < 0) return { ...next, messages: [...next.messages, folded] }
      if (!event.placed) return { ...next, messages: next.messages.with(at, folded) }
      return { ...next, messages: [...next.messages.toSpliced(at, 1), folded] }
    }
    case 'message-removed':
      return { ...next, messages: next.messages.filter(({ message }) => message.id !== event.messageId) }
    case 'messages-taken-out': {
      const removedIds = new Set(event.messageIds)
      const isKept = (messageId: string | undefined) => messageId === undefined || !removedIds.has(messageId)
      return {
        ...next,
        messages: next.messages.filter(({ message }) => isKept(message.id)),
        calls: filterByMessage(next.calls, isKept),
        outOfBand: filterByMessage(next.outOfBand, isKept)
      }
    }
    case 'call': {
      const calls = { ...next.calls, [event.call.toolCallId]: event.call }
      const messages = next.messages.map(folded =>
        folded.message.id === event.call.messageId ? applyCall(folded, event.call) : folded
      )
      return { ...next, calls, messages }
    }
    case 'oob': {
      const { message: oob } = event
      const messages = next.messages.map(folded => applyOob(folded, oob))
      return { ...next, outOfBand: { ...next.outOfBand, [oob.id]: oob }, messages }
    }
    case 'status': {
      const { error: _e, retryAt: _r, turnId: _t, ...rest } = next
      const turnId = event.outcome === undefined || event.retryAt !== undefined ? event.turnId : undefined
      return {
        ...rest,
        status: event.status,
        ...(turnId === undefined ? {} : { turnId }),
        ...(event.error === undefined ? {} : { error: event.error }),
        ...(event.retryAt === undefined ? {} : { retryAt: event.retryAt })
      }
    }
    case 'session': {
      const { pinnedRevision, overlaid, buildKit, speaker, agentStatus, ...rest } = next
      const pin = event.pinnedRevision === undefined ? pinnedRevision : event.pinnedRevision
      return {
        ...rest,
        title: event.title,
        oobPolicy: event.oobPolicy ?? next.oobPolicy,
        ...(typeof pin === 'number' ? { pinnedRevision: pin } : {}),
        ...((event.overlaid ?? overlaid) ? { overlaid: true as const } : {}),
        ...((event.buildKit ?? buildKit) ? { buildKit: true as const } : {}),
        ...spokenBy(event.speaker === undefined ? speaker : event.speaker),
        ...shownStatus(event.agentStatus === undefined ? agentStatus : event.agentStatus),
        ...(event.alarms === undefined ? {} : { alarms: event.alarms }),
        ...(event.subAgents === undefined ? {} : { subAgents: event.subAgents })
      }
    }
    default:
      return next
  }
}

const isEarlier = ({ metadata }: Message, first: Message | undefined): boolean =>
  metadata !== undefined && first?.metadata !== undefined && metadata.createdAt < first.metadata.createdAt

const shownStatus = (agentStatus: AgentStatus | null | undefined) =>
  agentStatus == null ? {} : { agentStatus }

const spokenBy = (speaker: Speaker | null | undefined) => (speaker == null ? {} : { speaker })

/** Returns the entries whose message is kept. */
const filterByMessage = <T extends { messageId?: string | undefined }>(
  all: Readonly<Record<string, T>>,
  isKept: (messageId: string | undefined) => boolean
): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([, { messageId }]) => isKept(messageId)))

/** Updates the part of an out-of-band message where the agent received it. */
export function applyOob(folded: FoldedMessage, oob: OutOfBand): FoldedMessage {
  if (folded.message.id !== oob.messageId) return folded
  const parts = folded.message.parts.map(part =>
    part.type === 'data-oob' && part.id === oob.id ? { ...part, data: oob } : part
  )
  return { ...folded, message: { ...folded.message, parts } }
}

/**
 * Updates the tool part of a call with the call's state. Only this function turns a settlement into message content.
 */
export function applyCall(folded: FoldedMessage, call: Call): FoldedMessage {
  const approval = call.kind === 'approval' || call.kind === 'limit' ? { id: call.toolCallId } : undefined
  const input = call.editedInput ?? call.input
  switch (call.state) {
    case 'open':
      return patchTool(folded, call.toolCallId, approval ? { state: 'approval-requested', approval } : {})
    case 'approved':
      if (call.ranAt === undefined)
        return patchTool(folded, call.toolCallId, {
          state: 'approval-responded',
          input,
          approval: { ...approval, approved: true, ...(call.reason ? { reason: call.reason } : {}) }
        })
      return patchTool(folded, call.toolCallId, {
        state: 'output-available',
        input,
        output: call.output ?? null,
        approval: { ...approval, approved: true }
      })
    case 'answered':
      return patchTool(folded, call.toolCallId, { state: 'output-available', output: call.output ?? null })
    case 'denied':
      return patchTool(folded, call.toolCallId, {
        state: 'output-denied',
        approval: { ...approval, approved: false, ...(call.reason ? { reason: call.reason } : {}) }
      })
    default:
      return patchTool(folded, call.toolCallId, {
        state: 'output-error',
        input,
        errorText: call.errorText ?? call.reason ?? call.state
      })
  }
}

function withCalls(folded: FoldedMessage, calls: Transcript['calls']): FoldedMessage {
  return folded.message.parts.reduce((next, part) => {
    const call = isToolPart(part) ? calls[part.toolCallId] : undefined
    return call === undefined ? next : applyCall(next, call)
  }, folded)
}

function withMessage(
  transcript: Transcript,
  id: string,
  at: string,
  turnId: string,
  change: (folded: FoldedMessage) => FoldedMessage
): Transcript {
  const index = transcript.messages.findLastIndex(({ message }) => message.id === id)
  const existing = transcript.messages[index]
  if (existing !== undefined)
    return { ...transcript, messages: transcript.messages.with(index, change(existing)) }
  const message: Message = { id, role: 'assistant', metadata: { createdAt: at, turnId }, parts: [] }
  return { ...transcript, messages: [...transcript.messages, change(foldedMessage(message))] }
}
