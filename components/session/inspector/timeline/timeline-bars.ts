import { type Call, isWaiting } from '@waystation/protocol/call/call.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import { isToolPart, type Message, type MessagePart } from '@waystation/protocol/session/message.ts'
import { salientArgument, systemOf } from '#components/session/wording/describe-call.ts'

export type Lane = 'model' | 'tools' | 'hooks' | 'waits'

/**
 * Something that took time. `start` and `end` are ms since the epoch; without an `end` it goes on. `row` is the key of
 * the transcript's row that it belongs to.
 */
export type Bar = {
  id: string
  lane: Lane
  row: string
  /** What took the time: "web-fetch", "Acme dispatcher". */
  what: string
  start: number
  end?: number
  tone: 'model' | 'tool' | 'you' | 'other' | 'settled' | 'failed' | 'hook'
}

/**
 * A session's bars, from what its page knows: each of the model's steps, each run of a tool, each thing that a plugin did, each wait. When a step began
 * and when its last words came is only in the events; without them it begins with what made it possible, and one that
 * only speaks is a moment.
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
  const hooks = transcript.messages.flatMap(({ message }) => hookBars(message))
  const summaries = transcript.messages.flatMap(({ message }) => compactionBars(message))
  const handOffs = transcript.messages.flatMap(({ message }) => handOffBars(message))
  return [...steps, ...calls, ...hooks, ...summaries, ...handOffs].sort(
    (a, b) => a.start - b.start || order[a.lane] - order[b.lane]
  )
}

type Seen = { starts: number[]; lastWords?: number }

/** What events tell of each message: when its steps began, oldest first, and when its last chunk came. */
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

const order: Record<Lane, number> = { model: 0, tools: 1, hooks: 2, waits: 3 }

/** A step runs from the message's beginning, or from when the last result of the step before was in, until its calls
 * were opened, or its last words. */
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
    // A step that has nothing to show is only worth a bar while it runs.
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

/** The steps of a message: the row of the first thing that each shows, and the calls it made. */
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

/** What plugins changed, cancelled or failed at; what they let pass leaves nothing. */
function hookBars(message: Message): Bar[] {
  return message.parts.flatMap((part, index): Bar[] => {
    if (part.type !== 'data-hook') return []
    const { plugin, startedAt, ms, outcome } = part.data
    const start = Date.parse(startedAt)
    const tone = outcome === 'failed' ? 'failed' : 'hook'
    const row = `${message.id}:${index}`
    return [{ id: `${row}#hook`, lane: 'hooks', row, what: plugin, start, end: start + ms, tone }]
  })
}

/** The moments in which another agent took over. */
function handOffBars(message: Message): Bar[] {
  return message.parts.flatMap((part, index): Bar[] => {
    if (part.type !== 'data-handoff') return []
    const at = Date.parse(part.data.at)
    const row = `${message.id}:${index}`
    const what = `Handed off to ${part.data.toName}`
    return [{ id: `${row}#handoff`, lane: 'model', row, what, start: at, end: at, tone: 'hook' }]
  })
}

/** How long the model took to sum up what left the prompt. */
function compactionBars(message: Message): Bar[] {
  return message.parts.flatMap((part, index): Bar[] => {
    if (part.type !== 'data-compaction' || part.data.ms === 0) return []
    const end = Date.parse(part.data.at)
    const row = `${message.id}:${index}`
    const tone = part.data.madeBy === 'model' ? 'model' : 'failed'
    return [
      { id: `${row}#summary`, lane: 'model', row, what: 'Summary', start: end - part.data.ms, end, tone }
    ]
  })
}

/** A call's wait for somebody, and the run of our code: an approved call has both. */
function callBars(call: Call): Bar[] {
  const common = { row: call.toolCallId, start: Date.parse(call.since) }
  const bars: Bar[] = []
  if (call.kind !== 'server') {
    const person = call.where !== 'external' && call.kind !== 'agent'
    bars.push({
      ...common,
      id: `${call.toolCallId}#wait`,
      lane: 'waits',
      what: person ? salientArgument(call.input) || call.toolName : systemOf(call),
      tone: isWaiting(call) ? (person ? 'you' : 'other') : 'settled',
      ...(call.settledAt === undefined ? {} : { end: Date.parse(call.settledAt) })
    })
  }
  const began = call.claimedAt ?? (call.kind === 'server' ? call.since : undefined)
  if (began === undefined) return bars
  const start = Date.parse(began)
  const runs = call.ranAt === undefined && (call.state === 'open' || call.state === 'approved')
  const tone = call.state === 'failed' ? 'failed' : 'tool'
  const end = runs ? undefined : (settledAt(call) ?? start)
  return [
    ...bars,
    {
      ...common,
      id: `${call.toolCallId}#run`,
      lane: 'tools',
      what: call.toolName,
      tone,
      start,
      ...ending(end, start)
    }
  ]
}
