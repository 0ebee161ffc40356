/**
 * Replaces characters that Postgres cannot store in `text` or `jsonb` with U+FFFD: NUL, and lone surrogates, which
 * UTF-8 cannot encode.
 */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
