import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { edgeId, receiverId, receiverWords, senderId, senderWords } from './edge.ts'

/** A session, or a sender without a session. */
type Node = { id: string; words: string; isSession: boolean }
/**
 * An arc between two nodes, given by their indexes. `start` and `end` are the offsets of its ends from the
 * middle of their nodes, from -1 to 1.
 */
export type Arc = { id: string; from: number; to: number; count: number; start: number; end: number }

/**
 * Arranges edges as a column of names with arcs beside it. Nodes that send more than they receive are higher,
 * so that most arcs point down. Only the `most` busiest nodes are included, and `left` is the number of the
 * others. The ends of arcs at a node are spread so that fewer arcs cross.
 */
export function arrange(edges: readonly OobEdge[], most: number) {
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
  const nodes: Node[] = busiest.sort((a, b) => b.balance - a.balance || a.words.localeCompare(b.words))
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

/**
 * Returns the offset of an arc's end at its node, from -1 to 1. The end of the arc to the furthest node above
 * comes first, and the end of the arc to the furthest node below comes last.
 */
function offsetsOf(arcs: readonly Omit<Arc, 'start' | 'end'>[]) {
  const ends = arcs.flatMap(({ id, from, to }) => [
    { at: from, other: to, key: `${id} start` },
    { at: to, other: from, key: `${id} end` }
  ])
  return (node: number, key: string): number => {
    const here = ends
      .filter(({ at }) => at === node)
      .sort((a, b) => a.other - b.other || (a.key < b.key ? -1 : 1))
    const index = here.findIndex(end => end.key === key)
    return here.length === 1 ? 0 : (2 * index) / (here.length - 1) - 1
  }
}
