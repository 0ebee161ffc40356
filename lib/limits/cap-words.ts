import type { ReachedCap } from './reached-cap.ts'

/**
 * What a person is asked at a cap: whose it is, how much was spent of how much, and until when it counts. What the
 * workspace spends is none of its end users' business, so where one of them may read along the sums are left out.
 */
export function capWords({ cap, spent, allowed, subject }: ReachedCap, readByEndUser: boolean): string {
  const sums = (whose: string) => `has spent ${dollars(spent)} of ${whose} ${dollars(allowed)}`
  const more = `Continue for another ${dollars(cap.usd)}?`
  switch (cap.scope) {
    case 'session':
      return `This session ${sums('its')} for today, which ends at 00:00 UTC. ${more}`
    case 'subject':
      return `${subject} ${sums('their')} for today, in all sessions together; the day ends at 00:00 UTC. ${more}`
    case 'workspace': {
      const begin = new Date(`${cap.period}T00:00:00Z`)
      const until = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1))
      const month = `${named(begin, { month: 'long' })}, which ends on ${named(until, { day: 'numeric', month: 'long' })} at 00:00 UTC`
      return readByEndUser
        ? `This workspace has spent what it may in ${month}. Continue all the same?`
        : `This workspace ${sums('its')} for ${month}. ${more}`
    }
  }
}

export const dollars = (usd: number): string => `$${usd.toFixed(2)}`

const named = (date: Date, form: Intl.DateTimeFormatOptions) =>
  date.toLocaleDateString('en-GB', { ...form, timeZone: 'UTC' })
