import { clock, clockOrDay } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'

/** Shows a time in the user's time zone. Empty until hydration, because the server does not know the zone. */
export function Time({ at, short = false, className }: { at: string; short?: boolean; className?: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={now === undefined ? undefined : clock(at, now)} className={className}>
      {now === undefined ? '' : (short ? clockOrDay : clock)(at, now)}
    </time>
  )
}
