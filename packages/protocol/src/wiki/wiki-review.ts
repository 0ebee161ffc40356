import type { Comparison } from '@waystation/protocol/agent/comparison.ts'

/**
 * The change of a wiki that a call waits to make, for the person who approves it. `title`, `act` and `why` are the
 * texts of its card. `changes` compares the tiddler with its content when the call opened. Absent: the
 * differences are too long. `widens` is empty: the agent gets no permissions.
 */
export type WikiReview = {
  kind: 'wiki-change'
  title: string
  act: string
  why: string
} & Partial<Comparison>
