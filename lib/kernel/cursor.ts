import { invalid } from '@waystation/base/api-error.ts'

/**
 * Encodes the end of a page: a timestamp as Postgres formats it, a key, and any value that is needed to distinguish
 * rows.
 */
export const writeCursor = (at: string, key: number, rest = ''): string =>
  Buffer.from(`${at}|${key}|${rest}`).toString('base64url')

/**
 * Decodes a cursor of `writeCursor`. Throws `INVALID_INPUT` for any other text, so that it never reaches the database.
 */
export function readCursor(cursor: string): { at: string; key: number; rest: string } {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, at = '', key = '', rest = ''] =
    /^(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?)\|(\d{1,15})\|([^\0]*)$/s.exec(
      text
    ) ?? []
  if (at === '' || Number.isNaN(Date.parse(at.replace(/([+-]\d\d)$/, '$1:00').replace(' ', 'T'))))
    throw invalid('The cursor is invalid. Start again without a cursor.', { cursor: 'unreadable' })
  return { at, key: Number(key), rest }
}
