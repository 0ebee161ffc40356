import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { CommittedRevision } from '@waystation/protocol/agent/own-config.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { HookRun } from '@waystation/protocol/plugin/hook.ts'
import type { Compaction } from '@waystation/protocol/session/compaction.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import {
  deliveryOf,
  isToolPart,
  type Message,
  type MessagePart,
  type Notice,
  type ToolPart
} from '@waystation/protocol/session/message.ts'
import type { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { summaryTool } from '@waystation/protocol/session/summary-tool.ts'
import type { PendingSend } from '#components/session/store/outbox.ts'
import { waitedFor } from '#components/session/wording/call-words.ts'
import { isRefused } from '#components/session/wording/delivery-words.ts'
import { isUnreceived } from '#components/session/wording/out-of-band-words.ts'
import { overIn } from './not-in-prompt.ts'

type Part<Type extends string> = Extract<MessagePart, { type: Type }>
/** `over`: the model is not sent it any more. */
type Common = { key: string; at: string | undefined; messageId: string; over?: true }

/** One thing that hangs on the rail. */
export type Row = Common &
  (
    | { kind: 'person'; message: Message }
    | { kind: 'pending'; send: PendingSend }
    /** `answer`: it is the last of what the agent says in this message. */
    | { kind: 'prose'; part: Part<'text'>; answer?: Message }
    | { kind: 'reasoning'; part: Part<'reasoning'> }
    | { kind: 'tool'; part: ToolPart; call: Call | undefined }
    | { kind: 'wait'; call: Call; ms: number }
    | { kind: 'notice'; notice: Notice }
    | { kind: 'revision'; committed: CommittedRevision }
    | { kind: 'hook'; run: HookRun }
    | { kind: 'handoff'; handOff: HandOff }
    | { kind: 'compaction'; compaction: Compaction }
    | { kind: 'oob'; told: OutOfBand }
    | { kind: 'sent'; delivery: MessageDelivery; replied: boolean }
    | { kind: 'file'; part: Part<'file'> }
    | { kind: 'source'; part: Part<'source-url'> }
  )

const cache = new WeakMap<Message, Row[]>()

/**
 * A transcript as the rows people see: what waits in the queue is left out (it stands above the composer), what is
 * on its way comes last, and how it stands with a message to another system below it. Out-of-band messages that the agent
 * never received stand where they were sent. The rows of a message that did not change are the same objects again.
 */
export function rowsOf(transcript: Transcript, sends: readonly PendingSend[]): Row[] {
  const newestReply = transcript.messages.findLastIndex(({ message }) => message.role === 'assistant')
  const unreceived = Object.values(transcript.outOfBand)
    .filter(isUnreceived)
    .sort((a, b) => b.queuedAt.localeCompare(a.queuedAt))
  const sentBefore = (at?: string): Row[] => {
    const rows: Row[] = []
    for (
      let next = unreceived.at(-1);
      next && (at === undefined || next.queuedAt < at);
      next = unreceived.at(-1)
    ) {
      rows.push(unreceivedRow(next))
      unreceived.pop()
    }
    return rows
  }
  const rows = transcript.messages.flatMap(({ message }, index) => {
    if (message.metadata?.queued !== undefined) return []
    const { createdAt } = message.metadata ?? {}
    const before = createdAt === undefined ? [] : sentBefore(createdAt)
    const known = cache.get(message) ?? rowsOfMessage(message, transcript.calls)
    cache.set(message, known)
    const delivery = deliveryOf(message)
    // Of what went out long ago only what went wrong is still news.
    const newest = index === transcript.messages.length - 1
    if (delivery === undefined || !(newest || isRefused(delivery))) return [...before, ...known]
    const replied = index < newestReply
    const key = `${message.id}:sent`
    const sent = { kind: 'sent', key, at: undefined, messageId: message.id, delivery, replied } as Row
    return [...before, ...known, sent]
  })
  rows.push(...sentBefore())
  const shown = sends.filter(send => send.state !== 'accepted' || transcript.status !== 'running')
  const over = overIn(transcript)
  return [
    ...(over.size === 0 ? rows : rows.map(row => (over.has(row.key) ? asOver(row) : row))),
    ...shown.map(send => ({ kind: 'pending' as const, key: send.key, at: send.at, messageId: '', send }))
  ]
}

/** The same object again for the same message. */
function unreceivedRow(told: OutOfBand): Row {
  const known = unreceivedRows.get(told) ?? {
    kind: 'oob',
    told,
    key: told.id,
    at: told.queuedAt,
    messageId: ''
  }
  unreceivedRows.set(told, known)
  return known
}
const unreceivedRows = new WeakMap<OutOfBand, Row>()

/** The same object again for the same row. */
function asOver(row: Row): Row {
  const known = overs.get(row) ?? { ...row, over: true as const }
  overs.set(row, known)
  return known
}
const overs = new WeakMap<Row, Row>()

function rowsOfMessage(message: Message, calls: Transcript['calls']): Row[] {
  const at = message.metadata?.createdAt
  if (message.role === 'user')
    return [{ kind: 'person', key: message.id, at, messageId: message.id, message }]
  const last = message.parts.findLastIndex(part => part.type === 'text' && part.text.trim() !== '')
  return message.parts.flatMap((part, index) => {
    const common: Common = { key: `${message.id}:${index}`, at, messageId: message.id }
    if (isToolPart(part)) return toolRows(part, calls[part.toolCallId], common)
    switch (part.type) {
      case 'text':
        return part.text.trim() === ''
          ? []
          : [{ kind: 'prose', part, ...(index === last ? { answer: message } : {}), ...common } as Row]
      case 'reasoning':
        return part.text.trim() === '' ? [] : [{ kind: 'reasoning', part, ...common } as Row]
      case 'data-notice':
        return [{ kind: 'notice', notice: part.data, ...common } as Row]
      case 'data-oob':
        return [{ kind: 'oob', told: part.data, ...common, at: part.data.injectedAt ?? common.at } as Row]
      case 'data-committed-revision':
        return [{ kind: 'revision', committed: part.data, ...common } as Row]
      case 'data-handoff':
        return [{ kind: 'handoff', handOff: part.data, ...common, at: part.data.at } as Row]
      case 'data-compaction':
        return [{ kind: 'compaction', compaction: part.data, ...common, at: part.data.at } as Row]
      case 'data-hook':
        // What changes every prompt would stand in every round: the timeline has it.
        return part.data.outcome === 'changed' && part.data.point === 'beforeModel'
          ? []
          : [{ kind: 'hook', run: part.data, ...common, at: part.data.startedAt } as Row]
      case 'file':
        return [{ kind: 'file', part, ...common } as Row]
      case 'source-url':
        return [{ kind: 'source', part, ...common } as Row]
      default:
        return []
    }
  })
}

function toolRows(part: ToolPart, call: Call | undefined, common: Common): Row[] {
  // Its answer stands below as the agent's own words (001-20).
  if (part.type === `tool-${summaryTool}` && part.state === 'output-available') return []
  const own = { ...common, key: part.toolCallId }
  const row: Row = { kind: 'tool', part, call, ...own, at: call?.since ?? common.at }
  const ms = call === undefined ? undefined : waitedFor(call)
  if (call === undefined || ms === undefined || ms < 1000) return [row]
  return [row, { kind: 'wait', call, ms, ...own, key: `${own.key}:wait`, at: call.settledAt }]
}
