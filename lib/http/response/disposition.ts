import { create } from 'content-disposition'

/** Returns a `Content-Disposition` for a file name of plain ASCII characters, which every system accepts. */
export const attachment = (stem: string, extension: string): string =>
  create(`${stem.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}.${extension}`)

/**
 * Returns a `Content-Disposition` with the exact file name, and with an ASCII name for clients that cannot read it (RFC
 * 6266, 4.3; RFC 8187).
 */
export const fileDisposition = (type: 'inline' | 'attachment', name: string): string => create(name, { type })
