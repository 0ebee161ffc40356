import { FoldLine } from './fold.tsx'
import type { RowProps } from './row-props.ts'

/** The model's reasoning, closed by default. */
export function ReasoningRow(props: RowProps<'reasoning'>) {
  const { part } = props.row
  return (
    <div>
      <FoldLine {...props}>
        <span className="min-w-0 flex-1 truncate text-muted">
          Reasoning{props.expanded ? '' : ` · ${part.text.replace(/\s+/g, ' ').slice(0, 160)}`}
        </span>
      </FoldLine>
      {props.expanded ? (
        <p className="border-l pl-4 whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{part.text}</p>
      ) : null}
    </div>
  )
}
