import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'
import type { Row } from '#components/session/transcript/rows/rows.ts'
import { Time } from '#components/ui/time.tsx'

type RowTimeProps = {
  row: Row
  /** The space above the row's first line, in px. `at` is the middle of that line, as a CSS length. */
  space: number
  at: string
  shown: boolean
}

/**
 * The time of a row, in the gutter. Under the pointer it shows the number of the event, if it has one, and a click opens
 * that event in the trace. Small screens have no space in the gutter, so the time appears above a row
 * that has the focus.
 */
export function RowTime({ row, space, at, shown }: RowTimeProps) {
  const { go, store, can } = useSessionContext()
  if (row.at === undefined || row.kind === 'wait' || row.kind === 'pending') return null
  const seq = store.getState().seqs[row.kind === 'tool' ? row.key : row.messageId]
  const style = { '--wide-top': `calc(${at} - 10px)`, '--narrow-top': `${space - 18}px` } as CSSProperties
  const place = clsx(
    'absolute hidden text-muted mid:top-(--wide-top) mid:left-0 mid:block mid:w-11 mid:text-right',
    row.kind !== 'tool' && 'max-mid:top-(--narrow-top) max-mid:right-0 max-mid:group-focus/row:block'
  )
  if (!can.inspector)
    return (
      <span style={style} className={clsx(place, !shown && 'mid:hidden')}>
        <Time at={row.at} short />
      </span>
    )
  return (
    <button
      type="button"
      onClick={() => go({ inspect: 'trace', ...(seq === undefined ? {} : { seq }) })}
      style={style}
      className={clsx(place, 'hover:text-ink')}
    >
      <span
        className={clsx(
          seq === undefined ? 'mid:group-hover/row:inline' : 'mid:group-hover/row:hidden',
          !shown && 'mid:hidden'
        )}
      >
        <Time at={row.at} short />
      </span>
      <span className="sr-only">Show in trace</span>
      {seq === undefined ? null : (
        <span className="hidden font-mono text-mono mid:group-hover/row:inline">#{seq}</span>
      )}
    </button>
  )
}
