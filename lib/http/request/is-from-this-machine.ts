import { isLoopback } from '@waystation/base/is-loopback.ts'

/**
 * Returns whether every host name in a request's headers is a loopback name. It detects DNS rebinding, and proxies that
 * name their client. It cannot detect a forwarder that adds no header.
 *
 * Next adds `X-Forwarded-*` for the connection that it sees. A proxy in front adds or sets its own.
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

/** Returns the host in `name`, `name:port`, `[v6]:port`, `v6` or an IPv4-mapped `::ffff:v4`. */
function hostOf(value: string): string {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(value)?.[1]
  const bare = bracketed ?? (value.split(':').length > 2 ? value : value.replace(/:\d+$/, ''))
  return bare.replace(/^::ffff:/i, '')
}
