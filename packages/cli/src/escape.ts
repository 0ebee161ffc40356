/**
 * Characters that can control a terminal or change the direction of text: control characters except tab and line
 * break, direction marks, and Unicode's line separators. All of them have four hexadecimal digits.
 */
const unsafe = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0')

/** Makes untrusted text safe to print: `ESC` becomes `<U+001B>`. Line breaks and tabs stay. */
export const printable = (text: string): string =>
  text.replaceAll(unsafe, character => `<U+${hex(character).toUpperCase()}>`)

/** Returns untrusted text in one line, cut after `most` characters. */
export function oneLine(text: string, most = 200): string {
  const characters = [...printable(text.replaceAll(/\s+/g, ' ').trim())]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('')
}

/** Returns a value as JSON in one line that is safe to print and has the same value when parsed. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unsafe, character => `\\u${hex(character)}`)
