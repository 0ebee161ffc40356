import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import type { Message, MessagePart } from '@waystation/protocol/session/message.ts'
import { isToolPart } from '@waystation/protocol/session/message-parts.ts'
import { salientArgument, systemOf } from '#components/session/wording/describe-call.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'

/** The lanes, from top to bottom. */
export const lanes = ['model', 'tools', 'hooks', 'waits', 'out-of-band'] as const
type Lane = (typeof lanes)[number]

/**
 * An activity that took time. `start` and `end` are in ms since the epoch. Without `end` it is still running.
 * `row` is the key of its row in the transcript.
 */
export type Bar = {
  id: string
  lane: Lane
  row: string
  /** The name of the activity, such as "web-fetch" or "Acme dispatcher". */
  what: string
  start: number
  end?: number
  tone: 'model' | 'tool' | 'you' | 'other' | 'settled' | 'failed' | 'hook'
}

/**
 * Returns the bars of a session, from the data that the page has: steps, tool runs, plugin runs, summaries,
 * handoffs, waits and out-of-band messages, sorted by start.
 *
 * Only the events tell when a step started and when its last text arrived. Without them, a step starts when
 * it could have started, and a step without calls has no duration.
 */
export function barsOf(transcript: Transcript, events: readonly SessionEvent[]): Bar[] {
  const seen = seenOf(events)
  const newest = transcript.messages.findLast(({ message }) => message.role === 'assistant')?.message
  const steps = transcript.messages.flatMap(({ message }) =>
    stepBars(message, transcript.calls, {
      ...(seen.get(message.id) ?? { starts: [] }),
      live: transcript.status === 'running' && message === newest
    })
  )
  const calls = Object.values(transcript.calls).flatMap(callBars)
  const parts = transcript.messages.flatMap(({ message }) => partBars(message))
  return [...steps, ...calls, ...parts, ...outOfBandBars(transcript)].sort(
    (a, b) => a.start - b.start || lanes.indexOf(a.lane) - lanes.indexOf(b.lane)
  )
}

type Seen = { starts: number[]; lastWords?: number }

/**
 * Returns, for each message, when its steps started (oldest first) and when its last chunk arrived, in ms.
 */
function seenOf(events: readonly SessionEvent[]): Map<string, Seen> {
  const seen = new Map<string, Seen>()
  for (const event of events.toSorted((a, b) => a.seq - b.seq)) {
    if (event.type !== 'chunk') continue
    const at = Date.parse(event.at)
    const { starts } = seen.get(event.messageId) ?? { starts: [] }
    if (event.chunk.type === 'start-step') starts.push(at)
    seen.set(event.messageId, { starts, lastWords: at })
  }
  return seen
}

/**
 * Returns the bars of a message's steps. Without a start from the events, a step starts when the message was
 * created or the previous step had all its results. It ends when its first call was opened, or with its last
 * text.
 */
function stepBars(
  message: Message,
  calls: Transcript['calls'],
  { starts, lastWords, live }: Seen & { live: boolean }
): Bar[] {
  const createdAt = message.metadata?.createdAt
  if (message.role !== 'assistant' || createdAt === undefined) return []
  const steps = stepsOf(message)
  let ready = Date.parse(createdAt)
  return steps.flatMap(({ row, toolCallIds }, index) => {
    const own = toolCallIds.flatMap(id => calls[id] ?? [])
    const opened = own.length === 0 ? undefined : Math.min(...own.map(call => Date.parse(call.since)))
    const start = starts.at(index - steps.length) ?? ready
    const last = index === steps.length - 1
    ready = Math.max(start, opened ?? start, ...own.map(call => settledAt(call) ?? start))
    const end = opened ?? (last && live ? undefined : last ? (lastWords ?? start) : start)
    // A step without visible content only has a bar while it runs.
    if (row === undefined && end !== undefined) return []
    const bar = { id: `${message.id}#${index}`, row: row ?? message.id, what: 'Model', start }
    return [{ ...bar, lane: 'model', tone: 'model', ...ending(end, start) } as Bar]
  })
}

const ending = (end: number | undefined, start: number) =>
  end === undefined ? {} : { end: Math.max(start, end) }

const settledAt = (call: Call): number | undefined => {
  const at = call.ranAt ?? call.settledAt
  return at === undefined ? undefined : Date.parse(at)
}

type Step = { row: string | undefined; toolCallIds: string[] }

/** Returns the steps of a message, each with the key of its first visible row and the IDs of its calls. */
function stepsOf(message: Message): Step[] {
  const steps: Step[] = []
  message.parts.forEach((part, index) => {
    if (part.type === 'step-start' || steps.length === 0) steps.push({ row: undefined, toolCallIds: [] })
    const step = steps.at(-1)
    if (step === undefined) return
    if (isToolPart(part)) step.toolCallIds.push(part.toolCallId)
    if (isShown(part)) step.row ??= isToolPart(part) ? part.toolCallId : `${message.id}:${index}`
  })
  return steps
}

const isShown = (part: MessagePart) =>
  isToolPart(part) || ((part.type === 'text' || part.type === 'reasoning') && part.text.trim() !== '')

/**
 * Returns the bars of what happened in a message:
 *
 * - each time that a plugin changed or canceled something, or failed
 * - each handoff, without duration
 * - the time the model took to write each summary of removed messages
 */
function partBars(message: Message): Bar[] {
  return message.parts.flatMap((part, index): Bar[] => {
    const row = `${message.id}:${index}`
    switch (part.type) {
      case 'data-hook': {
        const { plugin, startedAt, ms, outcome } = part.data
        const start = Date.parse(startedAt)
        const tone = outcome === 'failed' ? 'failed' : 'hook'
        return [{ id: `${row}#hook`, lane: 'hooks', row, what: plugin, start, end: start + ms, tone }]
      }
      case 'data-handoff': {
        const at = Date.parse(part.data.at)
        const what = `Handed off to ${part.data.toName}`
        return [{ id: `${row}#handoff`, lane: 'model', row, what, start: at, end: at, tone: 'hook' }]
      }
      case 'data-compaction': {
        const { at, ms, madeBy } = part.data
        if (ms === 0) return []
        const end = Date.parse(at)
        const tone = madeBy === 'model' ? 'model' : 'failed'
        return [{ id: `${row}#summary`, lane: 'model', row, what: 'Summary', start: end - ms, end, tone }]
      }
      default:
        return []
    }
  })
}

/** Returns a bar for each out-of-band message: the time until the agent received it, or until it ended. */
function outOfBandBars({ outOfBand }: Transcript): Bar[] {
  return Object.values(outOfBand).map((message): Bar => {
    const { id, status, queuedAt, injectedAt, cancelledAt, expiresAt } = message
    const endedAt = injectedAt ?? cancelledAt ?? (status === 'expired' ? expiresAt : undefined)
    return {
      id: `${id}#oob`,
      lane: 'out-of-band',
      row: id,
      what: fromWords(message),
      tone: status === 'held' ? 'you' : status === 'visible' ? 'other' : 'settled',
      start: Date.parse(queuedAt),
      ...(endedAt === undefined ? {} : { end: Date.parse(endedAt) })
    }
  })
}

/** Returns the bars of a call: its wait for an answer and the run of its tool. An approved call has both. */
function callBars(call: Call): Bar[] {
  const row = call.toolCallId
  const bars: Bar[] = []
  if (call.kind !== 'server') {
    const person = call.kind !== 'external' && call.kind !== 'agent'
    bars.push({
      id: `${row}#wait`,
      lane: 'waits',
      row,
      what: person ? salientArgument(call.input) || call.toolName : systemOf(call),
      tone: isWaiting(call) ? (person ? 'you' : 'other') : 'settled',
      start: Date.parse(call.since),
      ...(call.settledAt === undefined ? {} : { end: Date.parse(call.settledAt) })
    })
  }
  const began = call.claimedAt ?? (call.kind === 'server' ? call.since : undefined)
  if (began === undefined) return bars
  const start = Date.parse(began)
  const runs = call.ranAt === undefined && (call.state === 'open' || call.state === 'approved')
  const tone = call.state === 'failed' ? 'failed' : 'tool'
  const end = runs ? undefined : (settledAt(call) ?? start)
  bars.push({ id: `${row}#run`, lane: 'tools', row, what: call.toolName, tone, start, ...ending(end, start) })
  return bars
}
