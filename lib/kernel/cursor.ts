import { invalid } from './refusal.ts'

/** Where a page ended: a time as Postgres wrote it, a key, and what else it takes to tell two rows apart. */
export const writeCursor = (at: string, key: number, rest = ''): string =>
  Buffer.from(`${at}|${key}|${rest}`).toString('base64url')

/** Reads it back. What is not one of ours is `INVALID_INPUT`, whatever the database would have made of it. */
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
