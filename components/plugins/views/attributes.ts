/**
 * The attributes of a component, as its plugin sent them. Any value is possible. A value of an unexpected
 * type is treated as missing.
 */
export type Attributes = Record<string, unknown>

/**
 * Returns an attribute as text. Converts numbers and booleans, and returns an empty text for anything else.
 */
export function textAt(attributes: Attributes, name: string): string {
  const value = own(attributes, name)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** Returns an attribute as a finite number. Converts text, and returns undefined for anything else. */
export function numberAt(attributes: Attributes, name: string): number | undefined {
  const value = own(attributes, name)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Returns an attribute as a list, or an empty list if it is none. */
export const listAt = (attributes: Attributes, name: string): unknown[] => {
  const value = own(attributes, name)
  return Array.isArray(value) ? value : []
}

/** Returns an attribute that must be one of `words`, or else the first of them. */
export const oneAt = <Word extends string>(
  attributes: Attributes,
  name: string,
  words: readonly [Word, ...Word[]]
): Word => words.find(word => word === textAt(attributes, name)) ?? words[0]

/** Returns a JSON value as text. Objects and lists stay JSON. */
export const wordsOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

const own = (attributes: Attributes, name: string): unknown =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined
