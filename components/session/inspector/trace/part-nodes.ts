import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { MessagePart, Notice } from '@waystation/protocol/session/message.ts'
import { outcomeOf } from '#components/session/wording/call-words.ts'
import { compactionWords } from '#components/session/wording/compaction-words.ts'
import { capitalized, salientArgument, systemOf } from '#components/session/wording/describe-call.ts'
import { hookWords } from '#components/session/wording/hook-words.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import type { TraceNode } from './trace-node.ts'

export const timeOf = (iso: string | undefined) => (iso === undefined ? 0 : Date.parse(iso))
export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200)

export const settledAt = (call: Call): number | undefined => {
  const at = call.ranAt ?? call.settledAt
  return at === undefined ? undefined : Date.parse(at)
}

/** Returns a call with its run, its wait for an answer, and failed attempts to deliver it. */
export function callNode(
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
export function attemptsOf(delivery: Delivery | undefined, row: string): TraceNode[] {
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
export function partNode(part: MessagePart, row: string): TraceNode | undefined {
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
export function oobNode(message: OutOfBand): TraceNode {
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
