import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { readAlarm } from '@waystation/protocol/session/alarm-message.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import type { Message, MessagePart, Notice } from '@waystation/protocol/session/message.ts'
import { isToolPart, textOf } from '@waystation/protocol/session/message-parts.ts'
import type { ListedPrompt } from '@waystation/protocol/session/prompt.ts'
import { outcomeOf } from '#components/session/wording/call-words.ts'
import { compactionWords } from '#components/session/wording/compaction-words.ts'
import type { Deliveries } from '#components/session/wording/delivery-words.ts'
import { capitalized, salientArgument, systemOf } from '#components/session/wording/describe-call.ts'
import { hookWords } from '#components/session/wording/hook-words.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { extentOf, type TraceNode } from './trace-node.ts'

type Known = {
  transcript: Transcript
  /** The loaded events. Only they tell when a step started and when its last text arrived. */
  events: readonly SessionEvent[]
  /** The loaded prompts, in any order. */
  prompts: readonly ListedPrompt[]
  deliveries: Deliveries
}

/**
 * Returns the turns of a session as trees, oldest first. A turn starts with a message of a user. It contains its steps
 * and what happened between them, and a step contains its calls.
 */
export function traceOf({ transcript, events, prompts, deliveries }: Known): TraceNode[] {
  const seen = seenOf(events)
  const newest = transcript.messages.findLast(({ message }) => message.role === 'assistant')?.message
  const turns: TraceNode[] = []
  const placed = new Set<string>()
  for (const { message } of transcript.messages) {
    const at = timeOf(message.metadata?.createdAt)
    if (message.metadata?.queued !== undefined) continue
    if (message.role === 'user' || turns.length === 0) {
      const name = message.role === 'user' ? questionIn(message) : 'Started by the agent'
      turns.push({ id: message.id, kind: 'turn', name, note: '', row: message.id, at, children: [] })
    }
    const turn = turns.at(-1)
    if (turn === undefined) continue
    if (message.role === 'user') {
      turn.children.push(...attemptsOf(deliveries[message.id], message.id))
      continue
    }
    const isLiveMessage = transcript.status === 'running' && message === newest
    turn.children.push(
      ...nodesOf(message, {
        calls: transcript.calls,
        deliveries,
        prompts: prompts.filter(({ messageId }) => messageId === message.id),
        isLiveMessage,
        count: turn.children.filter(({ kind }) => kind === 'step').length,
        ...(seen.get(message.id) ?? { starts: [] })
      })
    )
    for (const part of message.parts) if (part.type === 'data-oob') placed.add(part.data.id)
  }
  for (const message of Object.values(transcript.outOfBand)) {
    if (placed.has(message.id)) continue
    const node = oobNode(message)
    const turn = turns.findLast(({ at }) => at <= node.at) ?? turns[0]
    turn?.children.push(node)
  }
  return turns.map(withTotals)
}

function questionIn(message: Message): string {
  const text = textOf(message)
  const alarm = readAlarm(message.metadata?.sentBy, text)
  return alarm === undefined ? oneLine(text) || 'Attachment' : `Reminder: ${oneLine(alarm.reminder)}`
}

const timeOf = (iso: string | undefined) => (iso === undefined ? 0 : Date.parse(iso))
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200)

/** Sorts the nodes of a turn by time and adds up its steps. */
function withTotals(turn: TraceNode): TraceNode {
  const children = turn.children.toSorted((a, b) => extentOf(a, a.at).start - extentOf(b, b.at).start)
  const sum = (of: 'tokens' | 'usd') => children.reduce((total, child) => total + (child[of] ?? 0), 0)
  const [tokens, usd] = [sum('tokens'), sum('usd')]
  return { ...turn, children, ...(tokens > 0 ? { tokens } : {}), ...(usd > 0 ? { usd } : {}) }
}

type Seen = { starts: number[]; lastWords?: number }

/** Returns, for each message, when its steps started (oldest first) and when its last chunk arrived, in ms. */
function seenOf(events: readonly SessionEvent[]): Map<string, Seen> {
  const seen = new Map<string, Seen>()
  for (const event of events) {
    if (event.type !== 'chunk') continue
    const at = Date.parse(event.at)
    const { starts } = seen.get(event.messageId) ?? { starts: [] }
    if (event.chunk.type === 'start-step') starts.push(at)
    seen.set(event.messageId, { starts, lastWords: at })
  }
  return seen
}

type OfMessage = Seen & {
  calls: Transcript['calls']
  deliveries: Deliveries
  prompts: readonly ListedPrompt[]
  isLiveMessage: boolean
  /** The number of earlier steps of the turn. */
  count: number
}

/** Returns the steps of an agent's message, with their calls and plugins, and what happened between the steps. */
function nodesOf(message: Message, of: OfMessage): TraceNode[] {
  const nodes: TraceNode[] = []
  const steps: TraceNode[] = []
  const isModel = message.parts.some(({ type }) => type === 'step-start')
  message.parts.forEach((part, index) => {
    const row = `${message.id}:${index}`
    if (part.type === 'step-start' || (steps.length === 0 && (isToolPart(part) || hasWords(part)))) {
      const name = isModel ? `Step ${of.count + steps.length + 1}` : 'Reply'
      const id = `${message.id}#${steps.length}`
      steps.push({ id, kind: 'step', name, note: '', row: '', at: 0, children: [] })
      nodes.push(...steps.slice(-1))
    }
    const step = steps.at(-1)
    if (isToolPart(part) && step !== undefined) {
      step.row ||= part.toolCallId
      step.children.push(callNode(part, of.calls[part.toolCallId], of.deliveries[part.toolCallId]))
    } else if (hasWords(part) && step !== undefined) {
      step.row ||= row
      step.note ||= oneLine(part.text)
    } else {
      const node = partNode(part, row)
      if (node?.kind === 'hook' && step !== undefined) step.children.push(node)
      else if (node !== undefined) nodes.push(node)
    }
  })
  withTimes(message, steps, of)
  withPrompts(steps, of)
  // A notice has no time of its own. It follows what came before it.
  let before = timeOf(message.metadata?.createdAt)
  for (const node of nodes) {
    node.at ||= before
    before = Math.max(before, extentOf(node, node.at).end)
  }
  nodes.push(...of.prompts.flatMap(prompt => failureNodes(prompt, message.id)))
  // A step without visible content is shown only while it runs.
  return nodes.filter(
    ({ kind, row, span, children }) =>
      kind !== 'step' || row !== '' || children.length > 0 || span?.end === undefined
  )
}

function failureNodes(prompt: ListedPrompt, row: string): TraceNode[] {
  if (prompt.error === undefined) return []
  const at = Date.parse(prompt.at)
  const span = { start: at, end: at, tone: 'failed' } as const
  const note = prompt.error.message
  return [
    {
      id: `prompt-${prompt.promptId}`,
      kind: 'failure',
      name: 'Failed attempt',
      note,
      row,
      at,
      span,
      prompt,
      children: []
    }
  ]
}

const hasWords = (part: MessagePart): part is Extract<MessagePart, { text: string }> =>
  (part.type === 'text' || part.type === 'reasoning') && part.text.trim() !== ''

/**
 * Adds the times of a message's steps. Without a start from the events, a step starts when the message was created or
 * the previous step had all its results. It ends when its first call was opened, or with its last text.
 */
function withTimes(message: Message, steps: readonly TraceNode[], of: OfMessage): void {
  let ready = timeOf(message.metadata?.createdAt)
  steps.forEach((step, index) => {
    const own = step.children.flatMap(({ call }) => call ?? [])
    const opened = own.length === 0 ? undefined : Math.min(...own.map(call => Date.parse(call.since)))
    const start = of.starts.at(index - steps.length) ?? ready
    const isLast = index === steps.length - 1
    const end = opened ?? (isLast ? (of.isLiveMessage ? undefined : (of.lastWords ?? start)) : start)
    ready = Math.max(start, opened ?? start, ...own.map(call => settledAt(call) ?? start))
    step.at = start
    step.row ||= message.id
    step.span = {
      start,
      tone: 'model',
      ...(end === undefined ? {} : { end: Math.max(start, end) })
    }
    for (const child of step.children) if (child.at === 0) child.at = start
  })
}

/** Adds the prompts of committed steps. The newest prompt belongs to the newest step that does not run. */
function withPrompts(steps: readonly TraceNode[], { prompts, isLiveMessage }: OfMessage): void {
  const committed = isLiveMessage ? steps.slice(0, -1) : steps
  const stored = prompts.filter(({ error }) => error === undefined).sort((a, b) => a.promptId - b.promptId)
  committed.forEach((step, index) => {
    const prompt = stored.at(index - committed.length)
    if (prompt === undefined) return
    const { tokens, output, usd } = prompt
    Object.assign(step, { prompt, tokens: tokens + output, ...(usd > 0 ? { usd } : {}) })
    for (const child of step.children) if (child.kind === 'call') child.prompt = prompt
  })
}

const settledAt = (call: Call): number | undefined => {
  const at = call.ranAt ?? call.settledAt
  return at === undefined ? undefined : Date.parse(at)
}

/** Returns a call with its run, its wait for an answer, and failed attempts to deliver it. */
function callNode(
  part: Extract<MessagePart, { toolCallId: string }>,
  call: Call | undefined,
  delivery: Delivery | undefined
): TraceNode {
  const id = part.toolCallId
  const node = { id, kind: 'call' as const, name: part.type.replace(/^tool-/, ''), row: id }
  if (call === undefined)
    return { ...node, note: salientArgument(part.input), at: 0, data: part.input, children: [] }
  const at = Date.parse(call.since)
  const began = call.claimedAt ?? (call.kind === 'server' ? call.since : undefined)
  const runs = call.ranAt === undefined && (call.state === 'open' || call.state === 'approved')
  const start = timeOf(began)
  const end = runs ? undefined : Math.max(start, settledAt(call) ?? start)
  const tone = call.state === 'failed' ? 'failed' : 'tool'
  return {
    ...node,
    name: call.toolName,
    note: salientArgument(call.editedInput ?? call.input),
    at,
    call,
    ...(began === undefined ? {} : { span: { start, tone, ...(end === undefined ? {} : { end }) } }),
    children: [...waitNodes(call, at), ...attemptsOf(delivery, id)]
  }
}

function waitNodes(call: Call, at: number): TraceNode[] {
  if (call.kind === 'server') return []
  const isPerson = call.kind !== 'external' && call.kind !== 'agent'
  const [verb = '', by] = outcomeOf(call, undefined).split(' by ')
  return [
    {
      id: `${call.toolCallId}#wait`,
      kind: 'wait',
      name: isWaiting(call) ? 'Waiting' : capitalized(verb),
      note: isWaiting(call) ? `for ${isPerson ? 'a person' : systemOf(call)}` : by ? `by ${by}` : '',
      row: call.toolCallId,
      at,
      span: {
        start: at,
        tone: isWaiting(call) ? (isPerson ? 'you' : 'other') : 'settled',
        ...(call.settledAt === undefined ? {} : { end: Date.parse(call.settledAt) })
      },
      call,
      children: []
    }
  ]
}

/** Returns the attempts of a delivery, if one of them failed. */
function attemptsOf(delivery: Delivery | undefined, row: string): TraceNode[] {
  if (delivery === undefined || !delivery.attempts.some(({ error }) => error !== undefined)) return []
  return delivery.attempts.map((attempt, index) => ({
    id: `${delivery.id}#${index}`,
    kind: 'delivery',
    name: `Delivery ${index + 1}`,
    note: String(attempt.status ?? attempt.error ?? 'no response'),
    row,
    at: Date.parse(attempt.at),
    span: {
      start: Date.parse(attempt.at),
      end: Date.parse(attempt.at) + attempt.ms,
      tone: attempt.error === undefined ? 'tool' : 'failed'
    },
    data: attempt,
    children: []
  }))
}

/** Returns the node of a part that is not written by the agent, or undefined. */
function partNode(part: MessagePart, row: string): TraceNode | undefined {
  const node = { id: row, row, note: '', children: [] }
  switch (part.type) {
    case 'data-hook': {
      const { plugin, startedAt, ms, outcome } = part.data
      const start = Date.parse(startedAt)
      const tone = outcome === 'failed' ? 'failed' : 'hook'
      const span = { start, end: start + ms, tone } as const
      return {
        ...node,
        kind: 'hook',
        name: plugin,
        note: hookWords(part.data),
        at: start,
        span,
        data: part.data
      }
    }
    case 'data-handoff': {
      const at = Date.parse(part.data.at)
      const name = `Handed off to ${part.data.toName}`
      return {
        ...node,
        kind: 'handoff',
        name,
        at,
        span: { start: at, end: at, tone: 'hook' },
        data: part.data
      }
    }
    case 'data-compaction': {
      const { at, ms, madeBy } = part.data
      const end = Date.parse(at)
      const span = { start: end - ms, end, tone: madeBy === 'model' ? 'model' : 'hook' } as const
      const note = compactionWords(part.data)
      return { ...node, kind: 'compaction', name: 'Summary', note, at: end - ms, span, data: part.data }
    }
    case 'data-oob':
      return oobNode(part.data)
    case 'data-notice':
      return { ...node, kind: 'notice', ...noticeWords(part.data), at: 0, data: part.data }
    default:
      return undefined
  }
}

function noticeWords(notice: Notice): { name: string; note: string } {
  switch (notice.kind) {
    case 'restarted':
      return { name: 'Server restarted', note: `${notice.seconds} s` }
    case 'stopped':
      return { name: 'Stopped', note: notice.by === 'person' ? 'by a person' : 'by a newer message' }
    case 'failed':
      return { name: notice.retryAt === undefined ? 'Failed' : 'Failed, retry follows', note: notice.message }
    case 'limit':
      return { name: 'Limit reached', note: notice.message }
  }
}

/** Returns an out-of-band message: the time until the agent received it, or until it ended. */
function oobNode(message: OutOfBand): TraceNode {
  const { id, status, queuedAt, injectedAt, cancelledAt, expiresAt } = message
  const endedAt = injectedAt ?? cancelledAt ?? (status === 'expired' ? expiresAt : undefined)
  const start = Date.parse(queuedAt)
  return {
    id,
    kind: 'oob',
    name: fromWords(message),
    note: oneLine(message.content),
    row: id,
    at: start,
    span: {
      start,
      tone: status === 'held' ? 'you' : status === 'visible' ? 'other' : 'settled',
      ...(endedAt === undefined ? {} : { end: Date.parse(endedAt) })
    },
    data: message,
    children: []
  }
}
