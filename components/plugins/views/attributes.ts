/** What a plugin wrote beside a component: anything may stand there, and what is not of the kind that is looked for is not there. */
export type Attributes = Record<string, unknown>

/** As text; numbers and switches are written out. */
export function textAt(attributes: Attributes, name: string): string {
  const value = own(attributes, name)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

export function numberAt(attributes: Attributes, name: string): number | undefined {
  const value = own(attributes, name)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const listAt = (attributes: Attributes, name: string): unknown[] => {
  const value = own(attributes, name)
  return Array.isArray(value) ? value : []
}

/** One of a list of words, or the first of them. */
export const oneAt = <Word extends string>(
  attributes: Attributes,
  name: string,
  words: readonly [Word, ...Word[]]
): Word => words.find(word => word === textAt(attributes, name)) ?? words[0]

/** What stands in a list, as text; what is in it is written as JSON. */
export const wordsOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

const own = (attributes: Attributes, name: string): unknown =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined
