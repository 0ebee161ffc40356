import { ApiError } from '@waystation/base/api-error.ts'
import {
  type IRateLimiterPostgresOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes
} from 'rate-limiter-flexible'
import type { Sql } from '#db/client.ts'
import type { RateLimitKind, RateLimits } from '#lib/kernel/ctx.ts'

/** The maximum number of requests per minute for each kind. 0: unlimited. */
export type MostRequests = Record<RateLimitKind, number>

const minute = 60

/**
 * Returns the rate limits of a server. Postgres counts for all processes together, in minutes that start with
 * the first request of a source. Each process counts replies of external agents and 401s by itself: they come
 * in floods and must not add load to the database (docs/limits.md). Past a limit it throws `RATE_LIMITED`
 * with the seconds until the next minute.
 */
export function rateLimitsWith(sql: Sql, limits: MostRequests): RateLimits {
  const storeClient = {
    query: ({ text, values }: { text: string; values: (string | number)[] }) =>
      sql.unsafe(text, values, { prepare: true }).then(rows => ({ rows: [...rows], rowCount: rows.count }))
  }
  const limiters = Object.entries(limits)
    .filter(([, points]) => points > 0)
    .map(([kind, points]) => {
      const shared: IRateLimiterPostgresOptions = {
        storeClient,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: kind,
        points,
        duration: minute,
        // A blocked source causes no more database queries until its minute is over.
        inMemoryBlockOnConsumed: points + 1
      }
      const limiter =
        kind === 'callback' || kind === 'unauthenticated'
          ? new RateLimiterMemory({ points, duration: minute })
          : new RateLimiterPostgres(shared)
      return [kind as RateLimitKind, { points, limiter }] as const
    })
  const byKind = new Map(limiters)
  return async (kind, source, peek) => {
    const entry = byKind.get(kind)
    if (entry === undefined) return
    try {
      if (peek === undefined) await entry.limiter.consume(source)
      else await throwIfSpent(entry.limiter, source)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
      throw new ApiError(
        'RATE_LIMITED',
        `${sent[kind][0]} more than ${entry.points} ${sent[kind][1]} within a minute. Try again in ${retryAfter} s.`,
        { retryAfter }
      )
    }
  }
}

/** Throws the current usage if nothing remains of the minute, as `consume` does, but counts no request. */
async function throwIfSpent(limiter: RateLimiterAbstract, source: string): Promise<void> {
  const usage = await limiter.get(source)
  if (usage !== null && usage.remainingPoints <= 0) throw usage
}

const sent: Record<RateLimitKind, [who: string, what: string]> = {
  key: ['This API key sent', 'requests'],
  subject: ['You sent', 'requests'],
  callback: ['This session received', 'replies'],
  accountRequest: ['This call made', 'requests with its account'],
  openCall: ['This session received', 'calls of its external agent'],
  answer: ['The links of this call received', 'requests'],
  signIn: ['Your IP address made', 'sign-in attempts'],
  unauthenticated: ['Your IP address sent', 'requests without a valid credential'],
  outOfBand: ['This source sent', 'out-of-band messages']
}
