/**
 * Text that every part of us can hold: lone surrogates become U+FFFD (they cannot be UTF-8), and so does NUL
 * (Postgres stores neither in `text` nor in `jsonb`).
 */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
