import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@redis/client'
import type { Pool } from '#db/client.ts'
import { log } from '#lib/kernel/log.ts'
import { openChannel } from './listener.ts'
import type { PubSub } from './pubsub.ts'

/** A Redis that has not answered by then does not hold up a start or a stop. Milliseconds. */
const patienceMs = { start: 2_000, stop: 500 }
/** While there is no line, every ear is told this often that anything may have happened. Milliseconds. */
const lookEvery = 1_000

/**
 * The doorbell on Redis pub/sub: one connection a process that listens and rings (RESP 3, Redis 6 or newer). Redis holds
 * nothing: down, restarted or flushed, it costs latency. While it is away, ears are told every second that
 * anything may have happened, and once more when it is back. It may come up later than this process.
 *
 * `sql` says which database this is: processes of another one, on the same Redis, ring on a channel of their own.
 */
export async function redisPubSub(url: string, sql: Pool): Promise<PubSub> {
  const channel = await channelOf(url, sql)
  const client = createClient({
    url,
    name: 'waystation',
    RESP: 3,
    // What cannot be sent now is worth nothing later: whoever comes back is told that anything may have happened.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // A line that broke without a word is found out: a ping goes unanswered, and then nothing moves on the socket.
    pingInterval: 1_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 3_000,
      reconnectStrategy: tries => Math.min(50 * 2 ** tries, 1_000) * (0.5 + Math.random() / 2)
    }
  })
  /** Some process did not hear what we rang. */
  let missed = false
  const publish = (text: string) =>
    client.publish(channel, text).then(
      () => true,
      // Whatever is wrong with the line, its `error` says it.
      () => false
    )
  const bell = openChannel({
    // A message costs Redis some microseconds: only what rings in the same moment goes together.
    gatherMs: 1,
    maxLength: 64_000,
    async send(text) {
      if (!(await publish(text))) missed = true
    }
  })

  let away: NodeJS.Timeout | undefined
  const tried = Promise.withResolvers<void>()
  client.on('error', error => {
    tried.resolve()
    if (away !== undefined) return
    away = setInterval(bell.receive, lookEvery, null)
    log('warn', 'Redis is unavailable. Until it is back, this process polls the database every second.', {
      error
    })
  })
  const isThere = async () => {
    try {
      // The client has done so itself if it had listened before; then this asks nothing.
      await client.subscribe(channel, bell.receive)
    } catch {
      // The line broke again meanwhile: `error` has said so, and the next `ready` tries again.
      return
    }
    if (away !== undefined) log('info', 'Redis is available again.')
    clearInterval(away)
    away = undefined
    tried.resolve()
    bell.receive(null)
    if (missed) missed = !(await publish(bell.anything))
  }
  client.on('ready', isThere)
  // Not every error ends the line.
  client.on('ping-interval', () => away && isThere())
  client.connect().catch(error => log('debug', 'The client stopped connecting to Redis.', { error }))
  await Promise.race([tried.promise, pause(patienceMs.start, undefined, { ref: false })])

  return {
    publish: bell.publish,
    subscribe: bell.subscribe,
    async stop() {
      await Promise.race([bell.close(), pause(patienceMs.stop, undefined, { ref: false })])
      clearInterval(away)
      client.destroy()
    }
  }
}

/**
 * Named by the database: which cluster (its identifier stays when a standby takes over) and which database in it. Pub/sub
 * knows no database numbers, so the one in REDIS_URL is part of the name: it keeps apart what Postgres cannot tell
 * apart, a server and its copy on file level.
 */
async function channelOf(url: string, sql: Pool): Promise<string> {
  const [row] = await sql<{ cluster: string; database: string }[]>`
    select (select system_identifier::text from pg_control_system()) as cluster, oid::text as database
    from pg_database where datname = current_database()`
  const number = new URL(url).pathname.slice(1) || '0'
  return `waystation:${number}:${row?.cluster}:${row?.database}`
}
