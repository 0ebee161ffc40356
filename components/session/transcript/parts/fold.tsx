import type { ReactNode } from 'react'
import { ChevronIcon } from '#components/ui/icons.tsx'

type FoldProps = {
  rowKey: string
  expanded: boolean
  onToggle: (key: string, expanded: boolean) => void
  children: ReactNode
}

/** The line that opens and closes a row. The whole line is a button, 32 px high. */
export function FoldLine({ rowKey, expanded, onToggle, children }: FoldProps) {
  return (
    <button
      type="button"
      data-toggle
      aria-expanded={expanded}
      onClick={() => onToggle(rowKey, !expanded)}
      className="tap group/fold flex h-8 w-full min-w-0 items-center gap-2 text-left"
    >
      {children}
      <span className={`text-muted ${expanded ? 'rotate-90' : ''}`}>
        <ChevronIcon />
      </span>
    </button>
  )
}
