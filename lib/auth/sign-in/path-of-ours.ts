/**
 * Where to go after signing in, if it is a path of this server; else the sessions. What would lead elsewhere (another
 * origin, `//host`, a backslash that browsers read as a slash) does not.
 */
export function pathOfOurs(wanted: unknown, origin: string): string {
  const home = '/sessions'
  if (typeof wanted !== 'string' || !URL.canParse(wanted, origin)) return home
  const url = new URL(wanted, origin)
  if (url.origin !== new URL(origin).origin || url.pathname.startsWith('//')) return home
  return url.pathname === '/' || url.pathname.startsWith('/sign-in') ? home : url.pathname + url.search
}
