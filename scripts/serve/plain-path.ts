/**
 * Returns true if the escapes of a request's path are UTF-8 (RFC 3986, 2.5) and no segment is `.` or `..`, escaped
 * or not. Next resolves such segments. The security headers depend on the unresolved path, so they could be those
 * of another page.
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
