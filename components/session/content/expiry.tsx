import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { clsx } from 'clsx'
import { Time } from '#components/ui/time.tsx'

type ExpiryProps = { of: Pick<OutOfBand, 'status' | 'expiresAt'>; className?: string }

/** Shows when a pending or held out-of-band message expires, if it does. */
export function Expiry({ of: { status, expiresAt }, className }: ExpiryProps) {
  if (expiresAt === undefined || (status !== 'visible' && status !== 'held')) return null
  return (
    <span data-hook="expiry" className={clsx('shrink-0 text-muted', className)}>
      expires <Time at={expiresAt} />
    </span>
  )
}
