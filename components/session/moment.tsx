'use client'
import { clock } from './when.ts'
import { useNow } from './use-now.ts'

/** A moment in the person's own time; nothing until the page is theirs (the server does not know their zone). */
export function Moment({ at, className }: { at: string; className?: string }) {
  const now = useNow()
  return (
    <time dateTime={at} className={className}>
      {now === undefined ? '' : clock(at, now)}
    </time>
  )
}
