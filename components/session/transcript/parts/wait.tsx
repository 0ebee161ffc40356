import { length } from '#components/browser/format-time.ts'
import type { RowProps } from './row-props.ts'

/** The gap in the line where the session waited, with the wait's length written in it. */
export function WaitRow({ row }: RowProps<'wait'>) {
  return (
    <p data-hook="waited" className="pb-1 text-muted tabular-nums">
      waited {length(row.ms)}
    </p>
  )
}
