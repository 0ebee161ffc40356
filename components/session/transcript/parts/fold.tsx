import type { ReactNode } from 'react'
import type { Row } from '#components/session/transcript/rows/rows.ts'
import { ChevronIcon } from '#components/ui/icons.tsx'
import type { RowProps } from './row-props.ts'

type FoldLineProps = RowProps<Row['kind']> & { children: ReactNode }

/** The line that opens and closes a row. The whole line is a button, 32 px high. */
export function FoldLine({ row, expanded = false, onToggle, children }: FoldLineProps) {
  return (
    <button
      type="button"
      data-toggle
      aria-expanded={expanded}
      onClick={() => onToggle(row.key, !expanded)}
      className="tap group/fold flex h-8 w-full min-w-0 items-center gap-2 text-left"
    >
      {children}
      <span className={`text-muted ${expanded ? 'rotate-90' : ''}`}>
        <ChevronIcon />
      </span>
    </button>
  )
}
