import { left, length } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { FoldLine } from './fold.tsx'
import type { RowProps } from './row-props.ts'

/**
 * Shows that the server restarted, the turn was stopped or failed, or a limit was reached. `FailedBar`, above
 * the composer, has the actions after a failure, so that they are always visible.
 */
export function NoticeRow(props: RowProps<'notice'>) {
  const { notice } = props.row
  switch (notice.kind) {
    case 'restarted':
      return (
        <div className="text-muted">
          <p>
            The server restarted during this turn
            {notice.seconds >= 1 ? ` (${length(notice.seconds * 1000)})` : ''}. The turn resumed after the
            last finished step.
          </p>
          {/* The interrupted text is still readable, but separate from the agent's reply. */}
          {notice.partialText === '' ? null : <FoldLine {...props}>Interrupted text</FoldLine>}
          {notice.partialText !== '' && props.expanded ? (
            <p className="border-l pl-4 font-serif whitespace-pre-wrap">{notice.partialText}</p>
          ) : null}
        </div>
      )
    case 'stopped':
      return (
        <p className="text-muted">
          {notice.by === 'person' ? 'The turn was stopped.' : 'Stopped by a newer message.'}
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

/**
 * Shows when the server retries a turn after a temporary error (001-18). It counts down in seconds near the
 * end.
 */
function RetryCountdown({ at }: { at: string }) {
  const now = useNow(1000)
  if (now === undefined) return null
  return (
    <span data-retry-countdown className="text-muted tabular-nums">
      {' '}
      {Date.parse(at) <= now ? 'Retrying now.' : `Retrying in ${left(at, now)}.`}
    </span>
  )
}
