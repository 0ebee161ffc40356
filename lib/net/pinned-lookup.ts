import { isIP, type LookupFunction } from 'node:net'

/** Answers every look-up of a connection with the addresses that were checked, and nothing else. */
export const pinnedLookup = (addresses: string[]): LookupFunction => {
  const entries = addresses.map(address => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, entries)
    else callback(null, entries[0]!.address, entries[0]!.family)
  }
}
