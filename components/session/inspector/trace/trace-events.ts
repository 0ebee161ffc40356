import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { type TraceNode, withDescendants } from './trace-node.ts'

type ByNode = ReadonlyMap<string, readonly SessionEvent[]>

/** Assigns each event, oldest first, to the row of the trace that it belongs to, by the row's ID. */
export function eventsByNode(turns: readonly TraceNode[], events: readonly SessionEvent[]): ByNode {
  const nodes = new Map(turns.flatMap(withDescendants).map(node => [node.id, node]))
  const stepsOf = Map.groupBy(
    [...nodes.values()].filter(({ kind }) => kind === 'step'),
    ({ id }) => messageOf(id)
  )
  const starts = Map.groupBy(
    events.flatMap(event => (event.type === 'chunk' && event.chunk.type === 'start-step' ? [event] : [])),
    ({ messageId }) => messageId
  )
  const stepOf = (messageId: string, seq: number): string | undefined => {
    const steps = stepsOf.get(messageId)
    if (steps === undefined) return undefined
    // The events of the newest steps are loaded first. A step without content has events, but no row.
    const later = (starts.get(messageId) ?? []).filter(start => start.seq > seq).length
    return steps.at(Math.max(0, steps.length - 1 - later))?.id
  }
  const nodeOf = (event: SessionEvent): string | undefined => {
    switch (event.type) {
      case 'chunk': {
        const { chunk, messageId } = event
        if (chunk.type === 'data-oob' && nodes.has(chunk.data.id)) return chunk.data.id
        return stepOf(messageId, event.seq)
      }
      case 'message':
        return nodes.has(event.message.id) ? event.message.id : stepOf(event.message.id, event.seq)
      case 'call':
        return event.call.toolCallId
      case 'delivery':
        return event.delivery.toolCallId ?? event.delivery.messageId
      case 'oob':
        return event.message.id
      default:
        return undefined
    }
  }
  const byNode = new Map<string, SessionEvent[]>()
  let turn = turns[0]?.id
  for (const event of events) {
    const found = nodeOf(event)
    const id = found !== undefined && nodes.has(found) ? found : turn
    if (id === undefined) continue
    if (nodes.get(id)?.kind === 'turn') turn = id
    const own = byNode.get(id) ?? []
    own.push(event)
    byNode.set(id, own)
  }
  return byNode
}

const messageOf = (stepId: string) => stepId.slice(0, stepId.lastIndexOf('#'))

/** Names an event with its state: "chunk text-delta", "call web-fetch open", "status parked". */
export const eventName = (event: SessionEvent): string =>
  event.type === 'chunk'
    ? `chunk ${event.chunk.type}`
    : event.type === 'call'
      ? `call ${event.call.toolName} ${event.call.state}`
      : event.type === 'status'
        ? `status ${event.status}${event.outcome === undefined ? '' : ` ${event.outcome}`}`
        : event.type === 'delivery'
          ? `delivery ${event.delivery.state} ${event.delivery.attempts.at(-1)?.status ?? ''}`
          : event.type
