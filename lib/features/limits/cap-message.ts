import type { ReachedCap } from '#lib/engine/worker/limits/extensions.ts'

/**
 * Returns the question at a cap: whose cap it is, the amount spent, the cap and when it resets. If an end
 * user can read it, a workspace's amounts are left out, because they are private to the workspace.
 */
export function capMessage({ cap, spent, allowed, subject }: ReachedCap, readByEndUser: boolean): string {
  const sums = `has spent ${dollars(spent)} of`
  const more = `Continue for another ${dollars(cap.usd)}?`
  switch (cap.scope) {
    case 'session':
      return `This session ${sums} its daily cap of ${dollars(allowed)}. The cap resets at 00:00 UTC. ${more}`
    case 'subject':
      return `${subject} ${sums} a daily cap of ${dollars(allowed)} across all sessions. The cap resets at 00:00 UTC. ${more}`
    case 'workspace': {
      const start = new Date(`${cap.period}T00:00:00Z`)
      const resetDate = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
      const month = formatDate(start, { month: 'long' })
      const reset = `The cap resets on ${formatDate(resetDate, { day: 'numeric', month: 'long' })} at 00:00 UTC.`
      return readByEndUser
        ? `This workspace has reached its spending cap for ${month}. ${reset} Continue anyway?`
        : `This workspace ${sums} its cap of ${dollars(allowed)} for ${month}. ${reset} ${more}`
    }
  }
}

/** Formats an amount in US dollars with two decimals. */
export const dollars = (usd: number): string => `$${usd.toFixed(2)}`

const formatDate = (date: Date, format: Intl.DateTimeFormatOptions) =>
  date.toLocaleDateString('en-US', { ...format, timeZone: 'UTC' })
