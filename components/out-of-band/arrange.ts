import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { edgeId, receiverId, receiverWords, senderId, senderWords } from './edge.ts'

/** A name of the diagram: a session, or a sender without a session. */
export type Name = { id: string; words: string; isSession: boolean }

/** A line from a sender to a receiver, given by their heights from 0 to 1. */
export type Line = { id: string; from: number; to: number; count: number }

type Counted = Name & { count: number; place: number }

/**
 * Arranges edges as a column of senders and a column of receivers, with lines between them. A session that sends and
 * receives is in both. Only the `most` busiest names of each column are included, and `left` is the number of the
 * others. Receivers have the order of their senders, so that few lines cross.
 */
export function arrange(edges: readonly OobEdge[], most: number) {
  const senders = new Map<string, Counted>()
  const receivers = new Map<string, Counted>()
  const add = (column: typeof senders, name: Name, count: number) =>
    column.set(name.id, { ...name, place: 0, count: count + (column.get(name.id)?.count ?? 0) })
  for (const { from, to, count } of edges) {
    add(
      senders,
      { id: senderId(from), words: senderWords(from), isSession: from.sessionId !== undefined },
      count
    )
    add(receivers, { id: receiverId(to), words: receiverWords(to), isSession: true }, count)
  }
  const [left, right] = [busiest(senders, most), busiest(receivers, most)]
  const between = edges.flatMap(edge => {
    const from = left.findIndex(({ id }) => id === senderId(edge.from))
    const to = right.find(({ id }) => id === receiverId(edge.to))
    if (from < 0 || to === undefined) return []
    // The mean height of the senders, by their messages.
    to.place += (from * edge.count) / to.count
    return [{ id: edgeId(edge), from, to, count: edge.count }]
  })
  right.sort((a, b) => a.place - b.place)
  const height = (index: number, of: readonly Name[]) => (index + 0.5) / of.length
  return {
    senders: left as Name[],
    receivers: right as Name[],
    lines: between.map(({ id, from, to, count }): Line => {
      return { id, from: height(from, left), to: height(right.indexOf(to), right), count }
    }),
    left: senders.size + receivers.size - left.length - right.length
  }
}

const busiest = (names: ReadonlyMap<string, Counted>, most: number) =>
  [...names.values()].sort((a, b) => b.count - a.count || a.words.localeCompare(b.words)).slice(0, most)
