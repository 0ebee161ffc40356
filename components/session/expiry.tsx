import type { OutOfBand } from '#lib/protocol/out-of-band.ts'
import { Moment } from './moment.tsx'

/** When an out-of-band message that waits expires, if it does. */
export function Expiry({ of: { status, expiresAt } }: { of: Pick<OutOfBand, 'status' | 'expiresAt'> }) {
  if (expiresAt === undefined || (status !== 'visible' && status !== 'held')) return null
  return (
    <span data-hook="expiry" className="shrink-0 text-muted">
      expires <Moment at={expiresAt} />
    </span>
  )
}
