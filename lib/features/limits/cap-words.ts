import type { ReachedCap } from '#lib/engine/limits/extensions.ts'

/**
 * What a person is asked at a cap: whose it is, how much was spent of how much, and until when it counts. What the
 * workspace spends is none of its end users' business, so where one of them may read along the sums are left out.
 */
export function capWords({ cap, spent, allowed, subject }: ReachedCap, readByEndUser: boolean): string {
  const sums = `has spent ${dollars(spent)} of`
  const more = `Continue for another ${dollars(cap.usd)}?`
  switch (cap.scope) {
    case 'session':
      return `This session ${sums} its daily cap of ${dollars(allowed)}. The cap resets at 00:00 UTC. ${more}`
    case 'subject':
      return `${subject} ${sums} a daily cap of ${dollars(allowed)} across all sessions. The cap resets at 00:00 UTC. ${more}`
    case 'workspace': {
      const begin = new Date(`${cap.period}T00:00:00Z`)
      const until = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1))
      const month = named(begin, { month: 'long' })
      const reset = `The cap resets on ${named(until, { day: 'numeric', month: 'long' })} at 00:00 UTC.`
      return readByEndUser
        ? `This workspace has reached its spending cap for ${month}. ${reset} Continue anyway?`
        : `This workspace ${sums} its cap of ${dollars(allowed)} for ${month}. ${reset} ${more}`
    }
  }
}

export const dollars = (usd: number): string => `$${usd.toFixed(2)}`

const named = (date: Date, form: Intl.DateTimeFormatOptions) =>
  date.toLocaleDateString('en-US', { ...form, timeZone: 'UTC' })
