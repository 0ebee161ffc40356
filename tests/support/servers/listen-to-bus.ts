import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'

/**
 * Records the wake-ups of a bus. `waitForWakeUp(key)` resolves when this key was woken. `all` contains every wake-up
 * since the last `clear()`.
 */
export function listenToBus(bus: PubSub) {
  const all: (number | null)[] = []
  const checks = new Set<() => void>()
  bus.subscribe(key => {
    all.push(key)
    for (const check of checks) check()
  })
  const waitForWakeUp = (key: number | null) =>
    new Promise<void>(resolve => {
      const check = () => {
        if (!all.includes(key)) return
        checks.delete(check)
        resolve()
      }
      checks.add(check)
      check()
    })
  return Object.assign(waitForWakeUp, { all, clear: () => void all.splice(0) })
}
