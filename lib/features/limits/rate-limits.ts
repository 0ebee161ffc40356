import {
  type IRateLimiterPostgresOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes
} from 'rate-limiter-flexible'
import type { Sql } from '#db/client.ts'
import type { Limited, RateLimits } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

/** How many requests a minute each of them may make; 0: as many as they like. */
export type MostRequests = Record<Limited, number>

const minute = 60

/**
 * The limits of a server, counted in Postgres, so that all its processes count together, in minutes that begin with
 * somebody's first request. Replies of external agents and 401s are counted by each process for itself: they come in floods, and
 * are to cost no more trips to the database (docs/limits.md). Past a limit: `429 RATE_LIMITED` with the seconds until the next
 * minute.
 */
export function rateLimitsWith(sql: Sql, most: MostRequests): RateLimits {
  const storeClient = {
    query: ({ text, values }: { text: string; values: (string | number)[] }) =>
      sql.unsafe(text, values, { prepare: true }).then(rows => ({ rows: [...rows], rowCount: rows.count }))
  }
  const limiters = Object.entries(most)
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
        // Whoever is past it costs the database nothing more until the minute is over.
        inMemoryBlockOnConsumed: points + 1
      }
      const limiter =
        kind === 'callback' || kind === 'unauthenticated'
          ? new RateLimiterMemory({ points, duration: minute })
          : new RateLimiterPostgres(shared)
      return [kind as Limited, { points, limiter }] as const
    })
  const byKind = new Map(limiters)
  return async (kind, who, look) => {
    const found = byKind.get(kind)
    if (found === undefined) return
    try {
      if (look === undefined) await found.limiter.consume(who)
      else await lookAt(found.limiter, who)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
      throw new Refusal(
        'RATE_LIMITED',
        `${sent[kind][0]} more than ${found.points} ${sent[kind][1]} within a minute. Try again in ${retryAfter} s.`,
        { retryAfter }
      )
    }
  }
}

/** Throws what there is of them, as `consume` does, once nothing remains of their minute. */
async function lookAt(limiter: RateLimiterAbstract, who: string): Promise<void> {
  const found = await limiter.get(who)
  if (found !== null && found.remainingPoints <= 0) throw found
}

const sent: Record<Limited, [who: string, what: string]> = {
  key: ['This API key sent', 'requests'],
  subject: ['You sent', 'requests'],
  callback: ['This session received', 'replies'],
  answer: ['The links of this call received', 'requests'],
  signIn: ['Your IP address made', 'sign-in attempts'],
  unauthenticated: ['Your IP address sent', 'requests without a valid credential'],
  outOfBand: ['This source sent', 'out-of-band messages']
}
