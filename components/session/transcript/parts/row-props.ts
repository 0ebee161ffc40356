import type { Row } from '#components/session/transcript/rows/rows.ts'

/** What every kind of row is given. `expanded` is undefined until the person chose. */
export type RowProps<Kind extends Row['kind']> = {
  row: Extract<Row, { kind: Kind }>
  expanded: boolean | undefined
  onToggle: (key: string, expanded: boolean) => void
}
