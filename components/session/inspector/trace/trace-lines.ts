import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { type TraceNode, withDescendants } from './trace-node.ts'

/** A visible row of the tree. `turn` is the turn that contains it. */
export type Line = {
  node: TraceNode
  turn: TraceNode
  parent: string | undefined
  level: number
  position: number
  size: number
  /** Absent for a node without children. */
  open?: boolean
}

/** The nodes that a person has folded or unfolded, by ID. */
export type Folds = Readonly<Record<string, boolean>>

/** The number of newest turns that are unfolded at first. */
const openTurns = 2

/** Returns the visible rows. With `matching`, they are the matching nodes and their ancestors, all unfolded. */
export function linesOf(
  turns: readonly TraceNode[],
  folds: Folds,
  matching?: (node: TraceNode) => boolean
): Line[] {
  const shown = (node: TraceNode) => matching === undefined || withDescendants(node).some(matching)
  const lines: Line[] = []
  const add = (nodes: readonly TraceNode[], level: number, of?: { turn: TraceNode; parent: string }) => {
    const visible = nodes.filter(shown)
    visible.forEach((node, index) => {
      const turn = of?.turn ?? node
      const isOpen = level > 1 || nodes.length - nodes.indexOf(node) <= openTurns
      const open = matching !== undefined || (folds[node.id] ?? isOpen)
      const line = { node, turn, parent: of?.parent, level, position: index + 1, size: visible.length }
      const children = node.children.filter(shown)
      lines.push(children.length === 0 ? line : { ...line, open })
      if (open) add(children, level + 1, { turn, parent: node.id })
    })
  }
  add(turns, 1)
  return lines
}

/** Returns a test for nodes that contain the text in their names, their content or their events. */
export function matcherOf(
  filter: string,
  eventsOf: ReadonlyMap<string, readonly SessionEvent[]>
): ((node: TraceNode) => boolean) | undefined {
  const text = filter.trim().toLowerCase()
  if (text === '') return undefined
  return ({ id, name, note, call }) =>
    JSON.stringify([name, note, call, eventsOf.get(id)])
      .toLowerCase()
      .includes(text)
}

/** Returns the folds with all ancestors of a node unfolded. */
export function unfoldedTo(id: string, turns: readonly TraceNode[], folds: Folds): Folds {
  const pathTo = (nodes: readonly TraceNode[]): string[] | undefined => {
    for (const node of nodes) {
      if (node.id === id) return []
      const path = pathTo(node.children)
      if (path !== undefined) return [node.id, ...path]
    }
    return undefined
  }
  const path = pathTo(turns) ?? []
  return { ...folds, ...Object.fromEntries(path.map(ancestor => [ancestor, true])) }
}
