import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { clsx } from 'clsx'
import { byWords } from '#components/session/wording/call-words.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { Time } from '#components/ui/time.tsx'
import { Expiry } from './expiry.tsx'

/** Shows the sender, priority and action of an out-of-band message. `at` is the time to show, if any. */
export function OobHead({ told, at }: { told: OutOfBand; at?: string }) {
  const { priority, metadata, approvedBy } = told
  const urgent = priority === 'critical' || priority === 'high'
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">Signal from {fromWords(told)}</span>
      <span className={clsx(urgent ? 'text-ink' : 'text-muted')}>{priority}</span>
      {metadata?.action === undefined ? null : <span className="text-muted">{metadata.action}</span>}
      {at === undefined ? null : <Time at={at} className="text-muted" />}
      <Expiry of={told} />
      {approvedBy === undefined ? null : (
        <span data-hook="let-in-by" className="text-muted">
          approved by {byWords(approvedBy)}
        </span>
      )}
    </p>
  )
}
