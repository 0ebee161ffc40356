import { slots } from '@waystation/base/slots.ts'

/** How many sockets of one client IP can be open without an accepted hello. */
const maxPerAddress = 16

const take = slots()

/**
 * Counts a new socket without an accepted hello. Returns a function that releases it, or undefined if the client IP is
 * at its limit.
 */
export const takePlace = (address: string): (() => void) | undefined => take(address, maxPerAddress)
