import type { Row } from '#components/session/transcript/rows/rows.ts'

/** The props of every kind of row. `expanded` is undefined until the user opens or closes the row. */
export type RowProps<Kind extends Row['kind']> = {
  row: Extract<Row, { kind: Kind }>
  /** For a user's message: who wrote the one before it. */
  before?: string | undefined
  expanded: boolean | undefined
  onToggle: (key: string, expanded: boolean) => void
}
