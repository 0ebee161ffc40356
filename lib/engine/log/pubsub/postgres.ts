import type { Pool } from '#db/client.ts'
import { log } from '#lib/kernel/log.ts'
import { openChannel } from './listener.ts'
import type { PubSub } from './pubsub.ts'

const channel = 'waystation'

/** The doorbell on Postgres LISTEN/NOTIFY: one listening connection a process, rings gathered and sent together. */
export async function postgresPubSub(sql: Pool): Promise<PubSub> {
  const bell = openChannel({
    // Commits with a NOTIFY queue up behind one lock.
    gatherMs: 20,
    // A NOTIFY payload must stay under 8,000 bytes.
    maxLength: 7_900,
    async send(text) {
      // A ring need not survive a crash, so its commit waits for no disk.
      await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${text})`.catch(
        error =>
          log('warn', 'A wake-up could not be sent. Readers poll for new events on their own.', { error })
      )
    }
  })
  const line = await sql.listen(channel, bell.receive, () => bell.receive(null))
  return {
    publish: bell.publish,
    subscribe: bell.subscribe,
    async stop() {
      await bell.close()
      await line.unlisten()
    }
  }
}
