import { compactionWords, makerWords } from '#components/session/wording/compaction-words.ts'
import { FoldLine } from './fold.tsx'
import type { RowProps } from './row-props.ts'

/**
 * Marks the place where older messages were removed from the prompt (001-17). It opens to the summary that
 * replaced them.
 */
export function CompactionRow(props: RowProps<'compaction'>) {
  const { compaction } = props.row
  return (
    <div data-compaction className="text-muted">
      <FoldLine {...props}>
        <span className="min-w-0 truncate">{compactionWords(compaction)}</span>
      </FoldLine>
      {props.expanded ? (
        <div className="flex flex-col gap-2 border-l pl-4">
          <p data-hook="compaction-summary" className="[overflow-wrap:anywhere] whitespace-pre-wrap text-ink">
            {compaction.summary}
          </p>
          <p data-made-by={compaction.madeBy} className="[overflow-wrap:anywhere]">
            {makerWords(compaction)}
          </p>
        </div>
      ) : null}
    </div>
  )
}
