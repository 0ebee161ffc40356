import type { Call } from '@waystation/protocol/call/call.ts'
import type { ListedPrompt } from '@waystation/protocol/session/prompt.ts'

/**
 * The look of a bar: work of the model, a tool or a plugin, a wait for a person or for an external system, a
 * wait that has ended, or a failure.
 */
export type Tone = 'model' | 'tool' | 'hook' | 'you' | 'other' | 'settled' | 'failed'

/** The time of an activity in ms since the epoch. Without `end`, it has not ended. */
export type Span = { start: number; end?: number; tone: Tone }

/**
 * A row of the trace: a turn, a step in it, a call of the step, or a part of one of them. `row` is
 * the key of its row in the transcript. `tokens` and `usd` of a turn are sums over its steps.
 */
export type TraceNode = {
  id: string
  kind:
    | 'turn'
    | 'step'
    | 'call'
    | 'wait'
    | 'delivery'
    | 'hook'
    | 'handoff'
    | 'compaction'
    | 'oob'
    | 'notice'
    | 'failure'
  name: string
  note: string
  row: string
  at: number
  span?: Span
  children: TraceNode[]
  call?: Call
  /** The prompt of the step, or of the step that made the call. */
  prompt?: ListedPrompt
  tokens?: number
  usd?: number
  /** Further content for the detail view. */
  data?: unknown
}

export const isWait = ({ kind }: TraceNode): boolean => kind === 'wait' || kind === 'oob'

/** Returns the node and all nodes in it, parents first. */
export const withDescendants = (node: TraceNode): TraceNode[] => [
  node,
  ...node.children.flatMap(withDescendants)
]

/** Returns when the first activity of a node starts and when the last one ends. A live one ends at `now`. */
export function extentOf(node: TraceNode, now: number): { start: number; end: number } {
  const times = withDescendants(node).flatMap(({ at, span }) =>
    span === undefined ? [at] : [span.start, span.end ?? Math.max(now, span.start)]
  )
  return { start: Math.min(...times), end: Math.max(...times) }
}

/** Returns true if the node, or anything in it, has not ended. */
export const isLive = (node: TraceNode): boolean =>
  withDescendants(node).some(({ span }) => span !== undefined && span.end === undefined)
