import { isIP, type LookupFunction } from 'node:net'

/** Returns a lookup function that always returns the checked addresses. */
export const pinnedLookup = (addresses: string[]): LookupFunction => {
  const entries = addresses.map(address => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, entries)
    else callback(null, entries[0]!.address, entries[0]!.family)
  }
}
