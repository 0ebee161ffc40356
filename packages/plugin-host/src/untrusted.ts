import { cleanJson } from '@waystation/base/clean-json.ts'
import { cleanText } from '@waystation/base/clean-text.ts'
import { PluginError } from './plugin-error.ts'

/**
 * Plugins are not trusted: these functions check the size of their data, parse it, and make its text
 * well-formed.
 */

/** Returns cleaned text. Throws `PluginError` `invalid` if it is longer than `maxChars` characters. */
export function checkText(text: string, maxChars: number, what: string): string {
  if (text.length > maxChars)
    throw new PluginError(
      'invalid',
      `${what} has ${text.length} characters. At most ${maxChars} are allowed.`
    )
  return cleanText(text)
}

/** Returns text for people, cut to `maxChars` characters and on one line. */
export const toSingleLine = (text: string, maxChars: number): string =>
  cleanText(text.slice(0, maxChars)).replace(/\s+/g, ' ').trim()

/** Parses JSON text of at most `maxChars` characters. Empty text is null. Throws `PluginError` `invalid`. */
export function parseUntrustedJson(text: string, maxChars: number, what: string): unknown {
  const clean = checkText(text, maxChars, what)
  if (clean.trim() === '') return null
  let value: unknown
  try {
    value = JSON.parse(clean)
  } catch {
    throw new PluginError('invalid', `${what} is not JSON: it starts with “${toSingleLine(clean, 80)}”.`)
  }
  return cleanJson(value, problem => new PluginError('invalid', `${what} ${problem}.`))
}

/**
 * Checks the number of entries of a map and the length of its keys and values. Throws `PluginError` `invalid`.
 */
export function checkEntries(
  map: Record<string, string>,
  limits: { entries: number; key: number; value: number },
  what: string
): Record<string, string> {
  const entries = Object.entries(map).filter(([key]) => key !== '__proto__')
  checkList(entries, limits.entries, what)
  return Object.fromEntries(
    entries.map(([key, value]) => [
      checkText(key, limits.key, `A name in ${what}`),
      checkText(value, limits.value, `A value in ${what}`)
    ])
  )
}

/** Returns the list. Throws `PluginError` `invalid` if it has more than `maxEntries` entries. */
export function checkList<T>(list: T[], maxEntries: number, what: string): T[] {
  if (list.length > maxEntries)
    throw new PluginError('invalid', `${what} has ${list.length} entries. At most ${maxEntries} are allowed.`)
  return list
}
