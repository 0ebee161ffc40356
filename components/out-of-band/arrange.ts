import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { edgeId, receiverId, receiverWords, senderId, senderWords } from './edge.ts'

/** Who tells or is told: a session, or somebody without one. */
type Node = { id: string; words: string; isSession: boolean }
/** An arc between the nodes of these places; `start` and `end`: how far from the middle of its node it begins and ends, -1 to 1. */
export type Arc = { id: string; from: number; to: number; count: number; start: number; end: number }
type Arranged = { nodes: Node[]; arcs: Arc[]; left: number }

/**
 * Edges as a column of names with arcs beside it: who tells more than they are told stands higher, so that most arcs lead down.
 * Of more than `most` names the busiest stay; `left`: how many are left out. Ends at one node lie beside each other, those that
 * lead far up outermost, so that arcs cross less.
 */
export function arrange(edges: readonly OobEdge[], most: number): Arranged {
  const known = new Map<string, Node & { balance: number; traffic: number }>()
  const meet = (node: Node, balance: number) => {
    const { balance: before = 0, traffic = 0 } = known.get(node.id) ?? {}
    known.set(node.id, { ...node, balance: before + balance, traffic: traffic + Math.abs(balance) })
  }
  for (const { from, to, count } of edges) {
    meet({ id: senderId(from), words: senderWords(from), isSession: from.sessionId !== undefined }, count)
    meet({ id: receiverId(to), words: receiverWords(to), isSession: true }, -count)
  }
  const busiest = [...known.values()].sort((a, b) => b.traffic - a.traffic).slice(0, most)
  const nodes = busiest
    .sort((a, b) => b.balance - a.balance || a.words.localeCompare(b.words))
    .map(({ id, words, isSession }) => ({ id, words, isSession }))
  const place = new Map(nodes.map(({ id }, index) => [id, index]))
  const between = edges.flatMap(edge => {
    const [from, to] = [place.get(senderId(edge.from)), place.get(receiverId(edge.to))]
    return from === undefined || to === undefined ? [] : [{ id: edgeId(edge), from, to, count: edge.count }]
  })
  const offset = offsetsOf(between)
  return {
    nodes,
    arcs: between.map(arc => ({
      ...arc,
      start: offset(arc.from, `${arc.id} start`),
      end: offset(arc.to, `${arc.id} end`)
    })),
    left: known.size - nodes.length
  }
}

/** Where each end lies at its node: those of arcs from above over those from below, and long arcs further out. */
function offsetsOf(arcs: readonly Omit<Arc, 'start' | 'end'>[]) {
  const ends = arcs.flatMap(({ id, from, to }) => [
    { at: from, other: to, key: `${id} start` },
    { at: to, other: from, key: `${id} end` }
  ])
  return (node: number, key: string): number => {
    const here = ends
      .filter(({ at }) => at === node)
      .sort((a, b) => rank(node, a.other) - rank(node, b.other) || (a.key < b.key ? -1 : 1))
    const index = here.findIndex(end => end.key === key)
    return here.length === 1 ? 0 : (2 * index) / (here.length - 1) - 1
  }
}

/** Ends above come first, the furthest of them outermost; of those below the furthest comes last. */
const rank = (node: number, other: number): number => other - node
