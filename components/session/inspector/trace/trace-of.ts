import { readAlarm } from '@waystation/protocol/session/alarm-message.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import type { ListedPrompt } from '@waystation/protocol/session/prompt.ts'
import { plainText } from '#components/browser/plain-text.ts'
import type { Deliveries } from '#components/session/wording/delivery-words.ts'
import { nodesOf, type Seen } from './message-nodes.ts'
import { attemptsOf, oneLine, oobNode, timeOf } from './part-nodes.ts'
import { extentOf, type TraceNode } from './trace-node.ts'

type Known = {
  transcript: Transcript
  /** The loaded events. Only they tell when a step started and when its last text arrived. */
  events: readonly SessionEvent[]
  /** The loaded prompts, in any order. */
  prompts: readonly ListedPrompt[]
  deliveries: Deliveries
  /** All messages are loaded, so that the turns can be counted. */
  whole?: boolean
}

/**
 * Returns the turns of a session as trees, oldest first. A turn starts with a message of a user. It contains its steps
 * and what happened between them, and a step contains its calls.
 */
export function traceOf({ transcript, events, prompts, deliveries, whole }: Known): TraceNode[] {
  const seen = seenOf(events)
  const newest = transcript.messages.findLast(({ message }) => message.role === 'assistant')?.message
  const turns: TraceNode[] = []
  const placed = new Set<string>()
  for (const { message } of transcript.messages) {
    const at = timeOf(message.metadata?.createdAt)
    if (message.metadata?.queued !== undefined) continue
    if (message.role === 'user' || turns.length === 0) {
      const name = whole ? `Turn ${turns.length + 1}` : 'Turn'
      const note = message.role === 'user' ? questionIn(message) : 'Started by the agent'
      turns.push({ id: message.id, kind: 'turn', name, note, row: message.id, at, children: [] })
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
  const text = plainText(textOf(message))
  const alarm = readAlarm(message.metadata?.sentBy, text)
  return alarm === undefined ? oneLine(text) || 'Attachment' : `Reminder: ${oneLine(alarm.reminder)}`
}

/** Sorts the nodes of a turn by time and adds up its steps. */
function withTotals(turn: TraceNode): TraceNode {
  const children = turn.children.toSorted((a, b) => extentOf(a, a.at).start - extentOf(b, b.at).start)
  const sum = (of: 'tokens' | 'usd') => children.reduce((total, child) => total + (child[of] ?? 0), 0)
  const [tokens, usd] = [sum('tokens'), sum('usd')]
  return { ...turn, children, ...(tokens > 0 ? { tokens } : {}), ...(usd > 0 ? { usd } : {}) }
}

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
