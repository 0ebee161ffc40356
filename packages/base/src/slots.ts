/**
 * Limits what is open at the same time in this process, by key. Returns a function that takes a slot of a key, if fewer
 * than `max` are taken. Its result releases the slot and is safe to call twice. At the limit, it is undefined.
 */
export function slots(): (key: string, max: number) => (() => void) | undefined {
  const takenByKey = new Map<string, number>()
  return (key, max) => {
    const taken = takenByKey.get(key) ?? 0
    if (taken >= max) return undefined
    takenByKey.set(key, taken + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const remaining = (takenByKey.get(key) ?? 1) - 1
      if (remaining === 0) takenByKey.delete(key)
      else takenByKey.set(key, remaining)
    }
  }
}
