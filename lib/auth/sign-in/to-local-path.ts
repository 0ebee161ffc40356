/**
 * Returns the page to show after sign-in, or the sessions page if `path` is not a path of this server. It rejects
 * other origins, `//host` and backslashes, which browsers read as slashes.
 */
export function toLocalPath(path: unknown, origin: string): string {
  const home = '/sessions'
  if (typeof path !== 'string' || !URL.canParse(path, origin)) return home
  const url = new URL(path, origin)
  if (url.origin !== new URL(origin).origin || url.pathname.startsWith('//')) return home
  return url.pathname === '/' || url.pathname.startsWith('/sign-in') ? home : url.pathname + url.search
}
