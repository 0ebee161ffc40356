import { setTimeout as pause } from 'node:timers/promises'
import type { OobPriority, OobSource } from '#lib/protocol/out-of-band/out-of-band.ts'
import { operate, type Run } from './operate.ts'
import type { Random } from './seeded.ts'

/** How urgent it is, and how often in a hundred. */
const priorities: [OobPriority, number][] = [
  ['low', 25],
  ['normal', 35],
  ['high', 20],
  ['critical', 20]
]
const sources: OobSource[] = ['user', 'agent', 'system', 'external']

/**
 * Somebody who tells the agent one thing after the other out of band, under all sources, some of it to stop it (which only a
 * person and the system may), and takes some of it back.
 */
export async function tellMuch(run: Run, random: Random, session: string): Promise<void> {
  const sender = `${session} eve`
  for (let n = 0; run.going(); n++) {
    const key = `${session}.eve.${n}`
    const [priority] = random.weighed(priorities, ([, share]) => share)
    const source = random.weighed(sources, () => 1)
    const what = random.chance(0.5) ? 'heed' : 'tell'
    const abort = random.chance(0.05)
    const path = `/api/sessions/${session}/oob`
    const said = { content: `${what} ${key} in ${session}`, priority, source, sourceId: 'eve', key }
    const told = await operate(run, random, {
      verb: 'tell',
      session,
      sender,
      key,
      priority,
      ...(abort ? { abort } : {}),
      path,
      body: { ...said, ...(abort ? { metadata: { action: 'abort' } } : {}) }
    })
    const takesBack = random.chance(0.2)
    if (takesBack && told.messageId !== undefined)
      await operate(run, random, {
        verb: 'take-back',
        session,
        sender,
        key,
        method: 'DELETE',
        path: `${path}/${told.messageId}`
      })
    await pause(random.below(1_200))
  }
}
