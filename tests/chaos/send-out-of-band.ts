import { setTimeout as pause } from 'node:timers/promises'
import { ClaimedSource } from '@waystation/protocol/out-of-band/oob-trust.ts'
import type { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Random } from './seeded.ts'
import { type Run, sendOperation } from './send-operation.ts'

/** The priorities and their share in percent. */
const priorities: [OobPriority, number][] = [
  ['low', 25],
  ['normal', 35],
  ['high', 20],
  ['critical', 20]
]

/**
 * Sends out-of-band messages from all sources of API keys, one after the other. Some abort the turn, which only the
 * system can do. Cancels some of them again.
 */
export async function sendOutOfBandMessages(run: Run, random: Random, session: string): Promise<void> {
  const sender = `${session} eve`
  for (let n = 0; run.going(); n++) {
    const key = `${session}.eve.${n}`
    const [priority] = random.weighed(priorities, ([, share]) => share)
    const source = random.weighed(ClaimedSource.options, () => 1)
    const what = random.chance(0.5) ? 'heed' : 'tell'
    const abort = random.chance(0.05)
    const path = `/api/sessions/${session}/oob`
    const message = { content: `${what} ${key} in ${session}`, priority, source, sourceId: 'eve', key }
    const operation = await sendOperation(run, random, {
      verb: 'send-oob',
      session,
      sender,
      key,
      priority,
      ...(abort ? { abort } : {}),
      path,
      body: { ...message, ...(abort ? { metadata: { action: 'abort' } } : {}) }
    })
    const cancels = random.chance(0.2)
    if (cancels && operation.messageId !== undefined)
      await sendOperation(run, random, {
        verb: 'cancel-oob',
        session,
        sender,
        key,
        method: 'DELETE',
        path: `${path}/${operation.messageId}`
      })
    await pause(random.below(1_200))
  }
}
