import { length } from '#components/browser/format-time.ts'
import type { RowProps } from './row-props.ts'

/** The length of a finished wait, in a gap of the rail. */
export function WaitRow({ row }: RowProps<'wait'>) {
  return (
    <p data-hook="waited" className="pb-1 text-muted tabular-nums">
      waited {length(row.ms)}
    </p>
  )
}
