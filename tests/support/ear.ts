import type { Bus } from '#lib/bus/bus.ts'

/** What a bus rings: `hears(key)` waits for a ring, `all` has every one since `nothing()`. */
export function earOf(bus: Bus) {
  const all: (number | null)[] = []
  const looks = new Set<() => void>()
  bus.onRing(key => {
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
