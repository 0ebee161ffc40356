'use client'
import { left } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'

/** When a turn that failed in a way that passes is tried again by itself (001-18), to the second near the end. */
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
