/**
 * Whether a request's path is written as addresses are: its escapes are UTF-8 (RFC 3986, 2.5), and no segment of it is `.` or
 * `..`, escaped or not. Next resolves such segments, so the page it shows would not be the one that the security headers,
 * which read the path as it came, were chosen for.
 */
export function isPlainPath(path: string): boolean {
  if (/[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i.test(path)) return false
  try {
    decodeURI(path)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
