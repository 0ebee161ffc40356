import type { Speaker } from '#lib/protocol/agent/hand-off.ts'
import type { SubAgentNews } from '#lib/protocol/agent/sub-agent.ts'
import type { Call } from '#lib/protocol/call/call.ts'
import type { OobPolicy, OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { AlarmNews } from './alarm.ts'
import { applyChunk, type FoldedMessage, foldedMessage, patchTool } from './apply-chunk.ts'
import type { SessionEvent, SessionStatus, Snapshot, TurnError } from './event.ts'
import { isToolPart, type Message } from './message.ts'

/**
 * A session as its log tells it. The same fold runs on the server and in the browser (docs/concepts/engine.md#concepts): `messages` in the
 * order people see them, `calls` and `outOfBand` by ID, and what the session is doing now.
 */
export type Transcript = {
  messages: readonly FoldedMessage[]
  calls: Readonly<Record<string, Call>>
  outOfBand: Readonly<Record<string, OutOfBand>>
  status: SessionStatus
  turnId?: string
  title: string
  oobPolicy: OobPolicy
  /** The revision of its agent that it runs on whatever is published. */
  pinnedRevision?: number
  /** Something is laid over its agent. */
  overlaid?: true
  /** Who speaks in it, where that is not its own agent. */
  speaker?: Speaker
  /** Its open alarms, when there are or were any; another object when one is another. */
  alarms?: AlarmNews
  /** Its sub-agents, when there are or were any; another object when one is another. */
  subAgents?: SubAgentNews
  error?: TurnError
  retryAt?: string
  cursor: number
}

export const emptyTranscript: Transcript = {
  messages: [],
  calls: {},
  outOfBand: {},
  status: 'idle',
  title: '',
  oobPolicy: { mode: 'on', minPriority: 'low', muted: [] },
  cursor: 0
}

export function transcriptOf(snapshot: Snapshot): Transcript {
  // A server of the version before says nothing of out-of-band messages.
  const { messages, calls, outOfBand = [], oobPolicy = emptyTranscript.oobPolicy, ...rest } = snapshot
  return {
    ...rest,
    oobPolicy,
    messages: messages.map(message => outOfBand.reduce(applyOob, foldedMessage(message))),
    outOfBand: Object.fromEntries(outOfBand.map(one => [one.id, one])),
    calls: Object.fromEntries(calls.map(call => [call.toolCallId, call]))
  }
}

/** Applies one event. An event at or below the cursor was seen before and changes nothing, so a reader that
 * reconnects may be told twice. */
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
      // News of a message of an earlier page, which is not loaded here: it comes with that page.
      if (at < 0 && !event.placed && isEarlier(event.message, next.messages[0]?.message)) return next
      if (at < 0) return { ...next, messages: [...next.messages, folded] }
      if (!event.placed) return { ...next, messages: next.messages.with(at, folded) }
      return { ...next, messages: [...next.messages.toSpliced(at, 1), folded] }
    }
    case 'message-removed':
      return { ...next, messages: next.messages.filter(({ message }) => message.id !== event.messageId) }
    case 'messages-taken-out': {
      const gone = new Set(event.messageIds)
      const stays = (messageId: string | undefined) => messageId === undefined || !gone.has(messageId)
      return {
        ...next,
        messages: next.messages.filter(({ message }) => stays(message.id)),
        calls: keep(next.calls, stays),
        outOfBand: keep(next.outOfBand, stays)
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
      const { message: told } = event
      const messages = next.messages.map(folded => applyOob(folded, told))
      return { ...next, outOfBand: { ...next.outOfBand, [told.id]: told }, messages }
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
      const { pinnedRevision, overlaid, speaker, ...rest } = next
      const pin = event.pinnedRevision === undefined ? pinnedRevision : event.pinnedRevision
      return {
        ...rest,
        title: event.title,
        oobPolicy: event.oobPolicy ?? next.oobPolicy,
        ...(typeof pin === 'number' ? { pinnedRevision: pin } : {}),
        ...((event.overlaid ?? overlaid) ? { overlaid: true as const } : {}),
        ...spokenBy(event.speaker === undefined ? speaker : event.speaker),
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

const spokenBy = (speaker: Speaker | null | undefined) => (speaker == null ? {} : { speaker })

/** Those whose message stays. */
const keep = <T extends { messageId?: string | undefined }>(
  all: Readonly<Record<string, T>>,
  stays: (messageId: string | undefined) => boolean
): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([, { messageId }]) => stays(messageId)))

/** Shows what became of an out-of-band message where the agent was told it. */
export function applyOob(folded: FoldedMessage, told: OutOfBand): FoldedMessage {
  if (folded.message.id !== told.messageId) return folded
  const parts = folded.message.parts.map(part =>
    part.type === 'data-oob' && part.id === told.id ? { ...part, data: told } : part
  )
  return { ...folded, message: { ...folded.message, parts } }
}

/** Shows a call's state in its message's tool part: the one place where a settlement becomes something to read. */
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
  const known = transcript.messages[index]
  if (known !== undefined) return { ...transcript, messages: transcript.messages.with(index, change(known)) }
  const message: Message = { id, role: 'assistant', metadata: { createdAt: at, turnId }, parts: [] }
  return { ...transcript, messages: [...transcript.messages, change(foldedMessage(message))] }
}
