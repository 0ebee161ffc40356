import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'

/**
 * Records the wake-ups of a bus: `hears(key)` resolves when that key was woken, `all` holds every one since the last
 * `nothing()`.
 */
export function listenToBus(bus: PubSub) {
  const all: (number | null)[] = []
  const looks = new Set<() => void>()
  bus.subscribe(key => {
    all.push(key)
    for (const look of looks) look()
  })
  const hears = (key: number | null) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (!all.includes(key)) return
        looks.delete(look)
        resolve()
      }
      looks.add(look)
      look()
    })
  return Object.assign(hears, { all, nothing: () => void all.splice(0) })
}
