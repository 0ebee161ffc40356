import type { Row } from '#components/session/transcript/rows/rows.ts'

/** Rows with a line that opens. Its text has 6 px of its own above and below. */
const folds = new Set<Row['kind']>(['tool', 'reasoning', 'compaction'])

/** True for a row that starts a turn. */
export const startsTurn = (row: Row): boolean =>
  row.kind === 'person' || (row.kind === 'pending' && row.send.tell === undefined)

/**
 * Returns the space above a row, in px: 32 before a turn and after the agent's message, whose actions are in that space,
 * and 12 inside a turn.
 */
export function spaceAbove(row: Row, before: Row | undefined): number {
  if (startsTurn(row) || before?.ends !== undefined) return 32
  if (row.kind === 'wait') return 4
  const [own, other] = [folds.has(row.kind), before !== undefined && folds.has(before.kind)]
  return own && other ? 0 : own || other ? 6 : 12
}
