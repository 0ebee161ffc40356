import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { log } from '@waystation/base/log.ts'
import type { Pool } from '#db/client.ts'
import { openChannel } from './listener.ts'
import type { PubSub } from './pubsub.ts'

/** Maximum time that Redis can delay a start or a stop, in milliseconds. */
const timeoutMs = { start: 2_000, stop: 500 }
/** Interval at which listeners check all sessions while Redis is unavailable, in milliseconds. */
const pollMs = 1_000

/**
 * Creates a `PubSub` on Redis pub/sub, with one connection per process (RESP 3, Redis 6 or newer). Redis
 * stores nothing, so an outage or a flush only costs latency. During an outage, listeners check all sessions
 * every second, and once more when Redis is back. Redis can start later than this process.
 *
 * @param sql identifies the database. Processes of other databases on the same Redis use other channels.
 */
export async function redisPubSub(url: string, sql: Pool): Promise<PubSub> {
  const channel = await channelOf(url, sql)
  const client = createClient({
    url,
    name: 'waystation',
    RESP: 3,
    // A late notification is useless: after an outage, listeners check all sessions anyway.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // Detects a connection that broke silently: the ping is not answered, and the socket then times out.
    pingInterval: 1_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 3_000,
      reconnectStrategy: tries => Math.min(50 * 2 ** tries, 1_000) * (0.5 + Math.random() / 2)
    }
  })
  /** True if other processes missed a notification of this process. */
  let missed = false
  const publish = (text: string) =>
    client.publish(channel, text).then(
      () => true,
      // The client's `error` event reports the cause.
      () => false
    )
  const hub = openChannel({
    // A message costs Redis only microseconds, so only simultaneous notifications are combined.
    gatherMs: 1,
    maxLength: 64_000,
    async send(text) {
      if (!(await publish(text))) missed = true
    }
  })

  let pollTimer: NodeJS.Timeout | undefined
  const firstAttempt = Promise.withResolvers<void>()
  client.on('error', error => {
    firstAttempt.resolve()
    if (pollTimer !== undefined) return
    pollTimer = setInterval(hub.receive, pollMs, null)
    log('warn', 'Redis is unavailable. Until it is back, this process polls the database every second.', {
      error
    })
  })
  const onReady = async () => {
    try {
      // After a reconnect, the client has already subscribed again, and this call sends nothing.
      await client.subscribe(channel, hub.receive)
    } catch {
      // The connection broke again. `error` has reported it, and the next `ready` retries.
      return
    }
    if (pollTimer !== undefined) log('info', 'Redis is available again.')
    clearInterval(pollTimer)
    pollTimer = undefined
    firstAttempt.resolve()
    hub.receive(null)
    if (missed) missed = !(await publish(hub.anything))
  }
  client.on('ready', onReady)
  // Not every error ends the connection, so there is not always a `ready` event.
  client.on('ping-interval', () => pollTimer && onReady())
  client.connect().catch(error => log('debug', 'The client stopped connecting to Redis.', { error }))
  await Promise.race([firstAttempt.promise, pause(timeoutMs.start, undefined, { ref: false })])

  return {
    publish: hub.publish,
    subscribe: hub.subscribe,
    async stop() {
      await Promise.race([hub.close(), pause(timeoutMs.stop, undefined, { ref: false })])
      clearInterval(pollTimer)
      client.destroy()
    }
  }
}

/**
 * Returns the name of the channel, which contains the Postgres cluster and the database. A cluster's
 * identifier stays the same when a standby takes over. Pub/sub ignores Redis database numbers, so the name
 * also contains the number in REDIS_URL. It separates a server from its file-level copy, which Postgres
 * cannot distinguish.
 */
async function channelOf(url: string, sql: Pool): Promise<string> {
  const [row] = await sql<{ cluster: string; database: string }[]>`
    select (select system_identifier::text from pg_control_system()) as cluster, oid::text as database
    from pg_database where datname = current_database()`
  const databaseNumber = new URL(url).pathname.slice(1) || '0'
  return `waystation:${databaseNumber}:${row?.cluster}:${row?.database}`
}
