import type { Call } from '#lib/protocol/call.ts'
import type { Transcript } from '#lib/protocol/fold.ts'
import {
  isToolPart,
  type Message,
  type MessagePart,
  type Notice,
  type ToolPart
} from '#lib/protocol/message.ts'
import type { PendingSend } from './outbox.ts'
import { waitedFor } from './words.ts'

type Part<Type extends string> = Extract<MessagePart, { type: Type }>
type Common = { key: string; at: string | undefined; messageId: string }

/** One thing that hangs on the rail. */
export type Row = Common &
  (
    | { kind: 'person'; message: Message }
    | { kind: 'pending'; send: PendingSend }
    | { kind: 'prose'; part: Part<'text'> }
    | { kind: 'reasoning'; part: Part<'reasoning'> }
    | { kind: 'tool'; part: ToolPart; call: Call | undefined }
    | { kind: 'wait'; call: Call; ms: number }
    | { kind: 'notice'; notice: Notice }
    | { kind: 'file'; part: Part<'file'> }
    | { kind: 'source'; part: Part<'source-url'> }
  )

const cache = new WeakMap<Message, Row[]>()

/**
 * A transcript as the rows people see: what waits in the queue is left out (it stands above the composer), what is
 * on its way comes last. The rows of a message that did not change are the same objects again.
 */
export function rowsOf(transcript: Transcript, sends: readonly PendingSend[]): Row[] {
  const rows = transcript.messages.flatMap(({ message }) => {
    if (message.metadata?.queued !== undefined) return []
    const known = cache.get(message)
    if (known !== undefined) return known
    const made = rowsOfMessage(message, transcript.calls)
    cache.set(message, made)
    return made
  })
  const shown = sends.filter(send => send.state !== 'accepted' || transcript.status !== 'running')
  return [
    ...rows,
    ...shown.map(send => ({ kind: 'pending' as const, key: send.key, at: send.at, messageId: '', send }))
  ]
}

function rowsOfMessage(message: Message, calls: Transcript['calls']): Row[] {
  const at = message.metadata?.createdAt
  if (message.role === 'user')
    return [{ kind: 'person', key: message.id, at, messageId: message.id, message }]
  return message.parts.flatMap((part, index) => {
    const common: Common = { key: `${message.id}:${index}`, at, messageId: message.id }
    if (isToolPart(part)) return toolRows(part, calls[part.toolCallId], common)
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [{ kind: 'prose', part, ...common } as Row]
      case 'reasoning':
        return part.text.trim() === '' ? [] : [{ kind: 'reasoning', part, ...common } as Row]
      case 'data-notice':
        return [{ kind: 'notice', notice: part.data, ...common } as Row]
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
  const own = { ...common, key: part.toolCallId }
  const row: Row = { kind: 'tool', part, call, ...own, at: call?.since ?? common.at }
  const ms = call === undefined ? undefined : waitedFor(call)
  if (call === undefined || ms === undefined || ms < 1000) return [row]
  return [row, { kind: 'wait', call, ms, ...own, key: `${own.key}:wait`, at: call.settledAt }]
}
