/** As many sockets of one address may be open without a hello that was accepted. */
const mostPerAddress = 16

const open = new Map<string, number>()

/** Takes a place for a socket of somebody unknown; gives it back, once. Undefined: this address has no more. */
export function takePlace(address: string): (() => void) | undefined {
  const taken = open.get(address) ?? 0
  if (taken >= mostPerAddress) return undefined
  open.set(address, taken + 1)
  let isTaken = true
  return () => {
    if (!isTaken) return
    isTaken = false
    const left = (open.get(address) ?? 1) - 1
    if (left === 0) open.delete(address)
    else open.set(address, left)
  }
}
