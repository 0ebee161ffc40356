'use client'
import { left } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'

/**
 * Shows when the server retries a turn after a temporary error (001-18). It counts down in seconds near the
 * end.
 */
export function RetryCountdown({ at }: { at: string }) {
  const now = useNow(1000)
  if (now === undefined) return null
  const due = Date.parse(at) <= now
  return (
    <span data-retry-countdown className="text-muted tabular-nums">
      {' '}
      {due ? 'Retrying now.' : `Retrying in ${left(at, now)}.`}
    </span>
  )
}
