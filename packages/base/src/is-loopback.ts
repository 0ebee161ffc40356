import { isIP } from 'node:net'

/** True if a host name or address from a setting or URL always means this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(bare) === 4) return bare.startsWith('127.')
  return bare === '::1' || bare === 'localhost' || bare.endsWith('.localhost')
}
