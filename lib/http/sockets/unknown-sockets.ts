/** How many sockets of one client IP can be open without an accepted hello. */
const maxPerAddress = 16

const open = new Map<string, number>()

/**
 * Counts a new socket without an accepted hello. Returns a function that releases it and is safe to call twice, or
 * undefined if the client IP is at its limit.
 */
export function takePlace(address: string): (() => void) | undefined {
  const count = open.get(address) ?? 0
  if (count >= maxPerAddress) return undefined
  open.set(address, count + 1)
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    const remaining = (open.get(address) ?? 1) - 1
    if (remaining === 0) open.delete(address)
    else open.set(address, remaining)
  }
}
