/** Returns a `Content-Disposition` for a file name of plain ASCII characters, which every system accepts. */
export const attachment = (stem: string, extension: string): string =>
  `attachment; filename="${stem.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}.${extension}"`

/**
 * Returns a `Content-Disposition` with the exact file name, and with an ASCII name for clients that cannot read it (RFC
 * 6266, 4.3; RFC 8187).
 */
export function named(type: 'inline' | 'attachment', name: string): string {
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${type}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${exact}`
}
