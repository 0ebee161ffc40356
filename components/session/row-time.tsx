'use client'
import { Moment } from './moment.tsx'
import type { Row } from './rows.ts'
import { useSessionContext } from './session-context.ts'

/**
 * When a row happened, muted, in the gutter; under the pointer it becomes the event's number. A click opens the
 * inspector there. On a small screen the gutter has no room: times stand over the rows once one is tapped.
 */
export function RowTime({ row, top, shown }: { row: Row; top: number; shown: boolean }) {
  const { go, store } = useSessionContext()
  if (row.at === undefined || row.kind === 'wait' || row.kind === 'pending') return null
  const seq = store.getState().seqs[row.kind === 'tool' ? row.key : row.messageId]
  return (
    <button
      type="button"
      aria-label={seq === undefined ? 'Show in the log' : `Show event ${seq} in the log`}
      onClick={() => go({ inspect: 'events', ...(seq === undefined ? {} : { seq }) })}
      className="absolute left-0 hidden w-11 text-right text-muted hover:text-ink focus-visible:block group-hover/row:block mid:block"
      style={{ top }}
    >
      <span className={shown ? 'group-hover/row:hidden' : 'hidden'}>
        <Moment at={row.at} />
      </span>
      <span className="hidden font-mono text-mono group-hover/row:inline">{seq === undefined ? '#' : `#${seq}`}</span>
    </button>
  )
}
