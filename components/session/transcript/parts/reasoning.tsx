import { FoldLine } from './fold.tsx'
import type { RowProps } from './row-props.ts'

/** The model's reasoning, closed by default. */
export function ReasoningRow({ row, expanded = false, onToggle }: RowProps<'reasoning'>) {
  return (
    <div>
      <FoldLine rowKey={row.key} expanded={expanded} onToggle={onToggle}>
        <span className="min-w-0 flex-1 truncate text-muted">
          Reasoning{expanded ? '' : ` · ${row.part.text.replace(/\s+/g, ' ').slice(0, 160)}`}
        </span>
      </FoldLine>
      {expanded ? (
        <p className="border-l pl-4 whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
          {row.part.text}
        </p>
      ) : null}
    </div>
  )
}
