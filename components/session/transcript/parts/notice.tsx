import { length } from '#components/browser/format-time.ts'
import { FoldLine } from './fold.tsx'
import { RetryCountdown } from './retry-countdown.tsx'
import type { RowProps } from './row-props.ts'

/**
 * Shows that the server restarted, the turn was stopped or failed, or a limit was reached. `FailedBar`, above
 * the composer, has the actions after a failure, so that they are always visible.
 */
export function NoticeRow(props: RowProps<'notice'>) {
  const { notice } = props.row
  switch (notice.kind) {
    case 'restarted':
      return <Restarted {...props} notice={notice} />
    case 'stopped':
      return (
        <p className="text-muted">
          {notice.by === 'person' ? 'Stopped by a user.' : 'Stopped by a newer message.'}
        </p>
      )
    case 'limit':
      return <p className="text-muted">{notice.message}</p>
    case 'failed':
      return (
        <p className="text-fail">
          {notice.message}
          {notice.retryAt === undefined ? null : <RetryCountdown at={notice.retryAt} />}
        </p>
      )
  }
}

type Kind<K> = Extract<RowProps<'notice'>['row']['notice'], { kind: K }>

/** The interrupted text is still readable, but separate from the agent's reply. */
function Restarted({
  row,
  notice,
  expanded = false,
  onToggle
}: RowProps<'notice'> & { notice: Kind<'restarted'> }) {
  const gap = notice.seconds >= 1 ? ` (${length(notice.seconds * 1000)})` : ''
  return (
    <div className="text-muted">
      <p>The server restarted during this turn{gap}. The turn resumed after the last finished step.</p>
      {notice.partialText === '' ? null : (
        <>
          <FoldLine rowKey={row.key} expanded={expanded} onToggle={onToggle}>
            Interrupted text
          </FoldLine>
          {expanded ? (
            <p className="border-l pl-4 font-serif whitespace-pre-wrap">{notice.partialText}</p>
          ) : null}
        </>
      )}
    </div>
  )
}
