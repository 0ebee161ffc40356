import { log } from '@waystation/base/log.ts'
import type { Pool } from '#db/client.ts'
import { openChannel } from './listener.ts'
import type { PubSub } from './pubsub.ts'

const channel = 'waystation'

/** Creates a `PubSub` on Postgres LISTEN/NOTIFY, with one listening connection per process. */
export async function postgresPubSub(sql: Pool): Promise<PubSub> {
  const hub = openChannel({
    // All commits with a NOTIFY wait for the same lock, so notifications are sent together.
    gatherMs: 20,
    // A NOTIFY payload must stay under 8,000 bytes.
    maxLength: 7_900,
    async send(text) {
      // A notification need not survive a crash, so its commit does not wait for the disk.
      await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${text})`.catch(
        error =>
          log('warn', 'A wake-up could not be sent. Readers poll for new events on their own.', { error })
      )
    }
  })
  const listening = await sql.listen(channel, hub.receive, () => hub.receive(null))
  return {
    publish: hub.publish,
    subscribe: hub.subscribe,
    async stop() {
      await hub.close()
      await listening.unlisten()
    }
  }
}
