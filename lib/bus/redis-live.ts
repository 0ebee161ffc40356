import type { RedisClientType } from '@redis/client'
import type postgres from 'postgres'
import { log } from '#lib/kernel/log.ts'
import type { Bell } from './bell.ts'
import type { Carried, Live } from './bus.ts'

/** While so many texts are not acknowledged, the line is slow: sessions are rung for instead, and read. */
const mostUnderWay = 1_000
/** Of so many other processes it is known whether they write to our database; the oldest is forgotten first. */
const mostKnown = 1_000
/** Who was found not to is looked at again after so many milliseconds. */
const lookAgain = 60_000

/** The half of the live channel that the bus turns: what to do when the line is there (again). */
export type RedisLive = Live & { resume(): Promise<void> }

/**
 * The live channel on Redis pub/sub: a channel for each session, listened to while somebody here follows it. Texts are
 * `<process>:<events as JSON>`.
 *
 * A process is believed once an event of its has been found in our own database: a copy of that database, on the same
 * Redis, has the same sessions and rings on the same channels, and what is written there is never shown here. Until then,
 * what it carries is a ring.
 */
export function redisLive(
  client: Pick<RedisClientType, 'isReady' | 'publish' | 'subscribe' | 'unsubscribe'>,
  channel: string,
  bell: Bell,
  sql: postgres.Sql
): RedisLive {
  const followed = new Map<number, { times: number; hear: (text: string) => void }>()
  const known = new Map<string, boolean>()
  let take: Parameters<Live['onCarried']>[0] = (_key, _events, ring) => ring()
  let underWay = 0

  const name = (sessionKey: number) => `${channel}:${sessionKey}`

  const hear = (sessionKey: number, text: string) => {
    const ring = () => bell.ringHere(sessionKey)
    const colon = text.indexOf(':')
    const from = text.slice(0, colon)
    if (from === bell.self || !followed.has(sessionKey)) return
    if (known.get(from)) return take(sessionKey, JSON.parse(text.slice(colon + 1)) as Carried, ring)
    ring()
    if (!known.has(from)) void meet(from, sessionKey, text.slice(colon + 1))
  }
  /** Looks whether what a stranger carries stands in our log. */
  const meet = async (from: string, sessionKey: number, text: string) => {
    known.set(from, false)
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    setTimeout(() => known.get(from) || known.delete(from), lookAgain).unref()
    try {
      const [event] = JSON.parse(text) as [Carried[number]]
      const found = await sql`
        select from events where session_key = ${sessionKey} and seq = ${event.seq} and type = ${event.type}
        and date_trunc('milliseconds', at) = ${event.at}`
      if (found.length > 0) known.set(from, true)
      else
        log(
          'warn',
          'Another Waystation database uses the same Redis channel. Give each database, including copies, its own number in REDIS_URL.'
        )
    } catch (error) {
      log('warn', 'Could not check whether another process uses the same database.', { error })
    }
  }
  /** Listens, and then has read what came before. Asked again, it asks Redis nothing. */
  const listen = async (sessionKey: number, ear: (text: string) => void) => {
    try {
      await client.subscribe(name(sessionKey), ear)
      bell.ringHere(sessionKey)
    } catch {
      // The line broke: the bus says so, tells everybody to look meanwhile, and resumes when it is back.
    }
  }

  return {
    carry(sessionKey, events) {
      if (!client.isReady || underWay >= mostUnderWay) return bell.ring(sessionKey)
      bell.ringHere(sessionKey)
      underWay++
      client
        .publish(name(sessionKey), `${bell.self}:${JSON.stringify(events)}`)
        // It may have been lost: whoever follows reads.
        .catch(() => bell.ring(sessionKey))
        .finally(() => underWay--)
    },
    follow(sessionKey) {
      const there = followed.get(sessionKey) ?? { times: 0, hear: text => hear(sessionKey, text) }
      there.times++
      followed.set(sessionKey, there)
      if (there.times === 1 && client.isReady) void listen(sessionKey, there.hear)
      return () => {
        if (--there.times > 0) return
        followed.delete(sessionKey)
        // If the line is broken, this is forgotten with it, or what comes is not heard.
        if (client.isReady) client.unsubscribe(name(sessionKey), there.hear).catch(() => undefined)
      }
    },
    onCarried(taker) {
      take = taker
    },
    async resume() {
      await Promise.all([...followed].map(([sessionKey, { hear }]) => listen(sessionKey, hear)))
    }
  }
}
