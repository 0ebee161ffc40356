import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { log } from '#lib/kernel/log.ts'
import type { Bus } from './bus.ts'

const channel = 'waystation'
/** A NOTIFY payload must stay under 8,000 bytes. */
const maxPayload = 7_900
/** Rings of this many milliseconds leave as one NOTIFY: commits with a NOTIFY queue up behind one lock. */
const gatherMs = 20

/** The doorbell on Postgres LISTEN/NOTIFY: one listening connection a process, rings gathered and sent together. */
export async function postgresBus(sql: postgres.Sql): Promise<Bus> {
  const self = randomUUID().slice(0, 8)
  const ears = new Set<(sessionKey: number | null) => void>()
  const waiting = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  const hear = (sessionKey: number | null) => {
    for (const ear of ears) ear(sessionKey)
  }

  const line = await sql.listen(
    channel,
    payload => {
      const [from, ids = ''] = payload.split(':')
      if (from === self) return
      for (const id of ids.split(',')) hear(Number(id))
    },
    () => hear(null)
  )

  const send = () => {
    timer = undefined
    const payloads: string[] = []
    let payload = ''
    for (const id of waiting) {
      const next = payload === '' ? `${self}:${id}` : `${payload},${id}`
      if (next.length > maxPayload) {
        payloads.push(payload)
        payload = `${self}:${id}`
      } else payload = next
    }
    waiting.clear()
    if (payload !== '') payloads.push(payload)
    sending = sending.then(async () => {
      for (const message of payloads) {
        // A ring need not survive a crash, so its commit waits for no disk.
        await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${message})`.catch(
          error => log('warn', 'A ring was lost; readers look again by themselves.', { error })
        )
      }
    })
  }

  return {
    ring(sessionKey) {
      hear(sessionKey)
      waiting.add(sessionKey)
      timer ??= setTimeout(send, gatherMs)
    },
    onRing(ear) {
      ears.add(ear)
      return () => ears.delete(ear)
    },
    async stop() {
      clearTimeout(timer)
      if (waiting.size > 0) send()
      await sending
      await line.unlisten()
      ears.clear()
    }
  }
}
