import { cleanJson } from '#lib/kernel/clean-json.ts'
import { cleanText } from '#lib/kernel/clean-text.ts'
import { PluginError } from './plugin-error.ts'

/** What a plugin sent is data of a stranger: it is measured, made well-formed and parsed here before anybody reads it. */

/** Text of at most `most` characters. Throws `PluginError` `invalid` for a longer one. */
export function textOf(text: string, most: number, what: string): string {
  if (text.length > most)
    throw new PluginError('invalid', `${what} has ${text.length} characters. At most ${most} are allowed.`)
  return cleanText(text)
}

/** Words for a person: what is too long is cut, and lines become one. */
export const wordsOf = (text: string, most: number): string =>
  cleanText(text.slice(0, most)).replace(/\s+/g, ' ').trim()

/** A JSON value of at most `most` characters; nothing at all is null. Throws `PluginError` `invalid`. */
export function jsonOf(text: string, most: number, what: string): unknown {
  const clean = textOf(text, most, what)
  if (clean.trim() === '') return null
  let value: unknown
  try {
    value = JSON.parse(clean)
  } catch {
    throw new PluginError('invalid', `${what} is not JSON: it starts with “${wordsOf(clean, 80)}”.`)
  }
  return cleanJson(value, problem => new PluginError('invalid', `${what} ${problem}.`))
}

/** A map of text, so many entries at most. Throws `PluginError` `invalid`. */
export function entriesOf(
  map: Record<string, string>,
  most: { entries: number; key: number; value: number },
  what: string
): Record<string, string> {
  const entries = Object.entries(map).filter(([key]) => key !== '__proto__')
  listOf(entries, most.entries, what)
  return Object.fromEntries(
    entries.map(([key, value]) => [
      textOf(key, most.key, `A name in ${what}`),
      textOf(value, most.value, `A value in ${what}`)
    ])
  )
}

/** A list of so many at most. Throws `PluginError` `invalid`. */
export function listOf<T>(list: T[], most: number, what: string): T[] {
  if (list.length > most)
    throw new PluginError('invalid', `${what} has ${list.length} entries. At most ${most} are allowed.`)
  return list
}
