import { isLoopback } from '#lib/kernel/is-loopback.ts'

/**
 * Whether every name in a request's headers is one of this machine. It refuses a rebound DNS name, and a proxy that says for
 * whom it asks. It cannot see a forwarder that adds no header.
 *
 * Next adds `X-Forwarded-*` itself, for the connection it sees; a proxy in front adds or sets its own.
 */
export function isFromThisMachine(headers: Headers): boolean {
  const host = headers.get('host')
  const forwarded = ['x-forwarded-host', 'x-forwarded-for'].flatMap(
    name =>
      headers
        .get(name)
        ?.split(',')
        .map(part => part.trim()) ?? []
  )
  return host !== null && [host, ...forwarded].every(name => isLoopback(hostOf(name)))
}

/** The name or address in `name`, `name:port`, `[v6]:port`, `v6` or an IPv4-mapped `::ffff:v4`. */
function hostOf(written: string): string {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(written)?.[1]
  const bare = bracketed ?? (written.split(':').length > 2 ? written : written.replace(/:\d+$/, ''))
  return bare.replace(/^::ffff:/i, '')
}
