import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { CommittedRevision } from '@waystation/protocol/agent/own-config.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import { summaryTool } from '@waystation/protocol/call/tool-names.ts'
import type { AgentStatus } from '@waystation/protocol/external-agent/agent-status.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { HookRun } from '@waystation/protocol/plugin/hook.ts'
import type { Compaction } from '@waystation/protocol/session/compaction.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import type { Message, MessagePart, Notice, ToolPart } from '@waystation/protocol/session/message.ts'
import type { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { deliveryOf, isToolPart } from '@waystation/protocol/session/message-parts.ts'
import type { PendingSend } from '#components/session/store/outbox.ts'
import { waitedFor } from '#components/session/wording/call-words.ts'
import { isRefused } from '#components/session/wording/delivery-words.ts'
import { isPendingInPlace, isUnreceived } from '#components/session/wording/out-of-band-words.ts'
import { overIn } from './not-in-prompt.ts'

type Part<Type extends string> = Extract<MessagePart, { type: Type }>
/**
 * `over`: the model no longer receives the content of the row. `ends`: the agent's message, at its last row, below which
 * the actions on the turn are.
 */
type Common = { key: string; at: string | undefined; messageId: string; over?: true; ends?: Message }

/** A row of the transcript. */
export type Row = Common &
  (
    | { kind: 'person'; message: Message }
    | { kind: 'pending'; send: PendingSend }
    /** `answer` is the message, if this is its last text. */
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
    | { kind: 'working'; status: Pick<AgentStatus, 'text'> }
    | { kind: 'sent'; delivery: MessageDelivery; replied: boolean }
    | { kind: 'file'; part: Part<'file'> }
    | { kind: 'source'; part: Part<'source-url'> }
  )

/**
 * Returns the rows of a transcript.
 *
 * - Queued messages are left out, because they are shown above the composer.
 * - Messages that this browser is sending come last.
 * - A message to an external agent is followed by a row with its delivery, or with the status of the agent.
 * - Out-of-band messages that the agent never received, or that went to an external agent, are placed by the
 *   time they were sent. Those of people that are pending come last, because the agent receives them there.
 *
 * `status` is what the server does for the agent now. If a message did not change, its rows are the same objects as
 * before.
 */
export function rowsOf(transcript: Transcript, sends: readonly PendingSend[], status?: string): Row[] {
  const newestReply = transcript.messages.findLastIndex(({ message }) => message.role === 'assistant')
  // Newest first, so that the next ones to place are at the end.
  const told = Object.values(transcript.outOfBand)
    .filter(one => isUnreceived(one) || one.messageId === one.id || isPendingInPlace(one))
    .sort((a, b) => b.queuedAt.localeCompare(a.queuedAt))
  const unreceived = told.filter(one => !isPendingInPlace(one))
  const sentBefore = (at?: string): Row[] => {
    const later = unreceived.findLastIndex(({ queuedAt }) => at !== undefined && queuedAt >= at)
    return unreceived
      .splice(later + 1)
      .reverse()
      .map(toldRow)
  }
  const rows = transcript.messages.flatMap(({ message }, index) => {
    if (message.metadata?.queued !== undefined) return []
    const { createdAt } = message.metadata ?? {}
    const before = createdAt === undefined ? [] : sentBefore(createdAt)
    const own = rowsOfMessage(message, transcript.calls)
    const delivery = deliveryOf(message)
    // Earlier messages show their delivery only if its last attempt failed.
    const newest = index === transcript.messages.length - 1
    const isWorking = transcript.agentStatus !== undefined
    if (delivery === undefined || !((newest && !isWorking) || isRefused(delivery))) return [...before, ...own]
    const replied = index < newestReply
    const key = `${message.id}:sent`
    const sent: Row = { kind: 'sent', key, at: undefined, messageId: message.id, delivery, replied }
    return [...before, ...own, sent]
  })
  rows.push(...sentBefore())
  if (transcript.agentStatus !== undefined) rows.push(workingRow(transcript.agentStatus))
  if (status !== undefined) rows.push(workingRow({ text: status }))
  const shown = sends.filter(
    send => send.tell !== undefined || send.state !== 'accepted' || transcript.status !== 'running'
  )
  // The agent's message can contain it before its receipt arrives.
  const ahead = told.filter(one => isPendingInPlace(one) && !rows.some(({ key }) => key === one.id)).reverse()
  // The log can contain a message before the response to its request arrives, or if the response was lost.
  const isLogged = ({ state, text, at }: PendingSend) =>
    ahead.some(
      ({ content, queuedAt }) =>
        content === text && (state === 'sending' || (state === 'unsent' && queuedAt >= at))
    )
  const over = overIn(transcript)
  return [
    ...(over.size === 0 ? rows : rows.map(row => (over.has(row.key) ? asOver(row) : row))),
    ...shown.filter(({ tell }) => tell === undefined).map(sendRow),
    ...ahead.map(toldRow),
    ...shown.filter(send => send.tell !== undefined && !isLogged(send)).map(sendRow)
  ]
}

/** Returns true for a message that follows the newest rows until the agent receives it. */
export const isAhead = (row: Row): boolean =>
  row.kind === 'pending' || (row.kind === 'oob' && isPendingInPlace(row.told))

/** Returns true if the row shows the call or the out-of-band message with this ID. */
export const isOf = (row: Row, id: string): boolean =>
  (row.kind === 'tool' && row.key === id) || (row.kind === 'oob' && row.told.id === id)

/** Returns the same result for the same `of`, so that the rows do not render again. */
function once<Of extends object, Rest extends unknown[], Result>(make: (of: Of, ...rest: Rest) => Result) {
  const made = new WeakMap<Of, Result>()
  return (of: Of, ...rest: Rest): Result => {
    const result = made.get(of) ?? make(of, ...rest)
    made.set(of, result)
    return result
  }
}

const sendRow = once(
  (send: PendingSend): Row => ({ kind: 'pending', key: send.key, at: send.at, messageId: '', send })
)

const toldRow = once(
  (told: OutOfBand): Row => ({ kind: 'oob', told, key: told.id, at: told.queuedAt, messageId: '' })
)

const workingRow = once(
  (status: Pick<AgentStatus, 'text'>): Row => ({
    kind: 'working',
    status,
    key: 'working',
    at: undefined,
    messageId: ''
  })
)

const asOver = once((row: Row): Row => ({ ...row, over: true }))

const rowsOfMessage = once((message: Message, calls: Transcript['calls']): Row[] => {
  const at = message.metadata?.createdAt
  if (message.role === 'user')
    return [{ kind: 'person', key: message.id, at, messageId: message.id, message }]
  const last = message.parts.findLastIndex(part => part.type === 'text' && !isBlank(part))
  let latest = at
  const rows = message.parts.flatMap((part, index) => {
    const common: Common = { key: `${message.id}:${index}`, at: latest, messageId: message.id }
    const rows = rowsOfPart(part, common, calls, index === last ? message : undefined)
    // A part without its own time came after the parts before it: text after an approval came after the approval.
    for (const { at } of rows) if (at !== undefined && (latest === undefined || at > latest)) latest = at
    return rows
  })
  const end = rows.pop()
  return end === undefined ? rows : [...rows, { ...end, ends: message }]
})

/** Returns the rows of a part of the agent's message. `answer` is the message, if this is its last text. */
function rowsOfPart(
  part: MessagePart,
  common: Common,
  calls: Transcript['calls'],
  answer: Message | undefined
): Row[] {
  if (isBlank(part)) return []
  if (isToolPart(part)) return toolRows(part, calls[part.toolCallId], common)
  switch (part.type) {
    case 'text':
      return [{ kind: 'prose', part, ...(answer === undefined ? {} : { answer }), ...common }]
    case 'reasoning':
      return [{ kind: 'reasoning', part, ...common }]
    case 'data-notice':
      return [{ kind: 'notice', notice: part.data, ...common }]
    case 'data-oob':
      // The key stays the same when the message moves here from the end.
      return [
        {
          kind: 'oob',
          told: part.data,
          ...common,
          key: part.data.id,
          at: part.data.injectedAt ?? common.at
        }
      ]
    case 'data-committed-revision':
      return [{ kind: 'revision', committed: part.data, ...common }]
    case 'data-handoff':
      return [{ kind: 'handoff', handOff: part.data, ...common, at: part.data.at }]
    case 'data-compaction':
      return [{ kind: 'compaction', compaction: part.data, ...common, at: part.data.at }]
    case 'data-hook':
      // A plugin that changes prompts does so in every step. Only the trace shows these runs.
      return part.data.outcome === 'changed' && part.data.point === 'beforeModel'
        ? []
        : [{ kind: 'hook', run: part.data, ...common, at: part.data.startedAt }]
    case 'file':
      return [{ kind: 'file', part, ...common }]
    case 'source-url':
      return [{ kind: 'source', part, ...common }]
    default:
      return []
  }
}

const isBlank = (part: MessagePart): boolean =>
  (part.type === 'text' || part.type === 'reasoning') && part.text.trim() === ''

function toolRows(part: ToolPart, call: Call | undefined, common: Common): Row[] {
  // The agent's text below already contains the final answer (001-20).
  if (part.type === `tool-${summaryTool}` && part.state === 'output-available') return []
  const own = { ...common, key: part.toolCallId }
  const row: Row = { kind: 'tool', part, call, ...own, at: call?.since ?? common.at }
  const ms = call === undefined ? undefined : waitedFor(call)
  if (call === undefined || ms === undefined || ms < 1000) return [row]
  return [row, { kind: 'wait', call, ms, ...own, key: `${own.key}:wait`, at: call.settledAt }]
}
