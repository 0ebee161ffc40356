/** Converts a value of the form to text and back. A text that is not a value stays a text, which the schema rejects. */
export type TextFormat = { format: (value: unknown) => string; parse: (text: string) => unknown }

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value))
const listed = (value: unknown, separator: string) =>
  Array.isArray(value) ? value.join(separator) : textOf(value)
const orUnset = <Item>(list: Item[]) => (list.length === 0 ? undefined : list)

/** A text as typed. */
export const text: TextFormat = { format: textOf, parse: typed => typed }

/** A text without spaces around it. An empty text is an unset value. */
export const optional: TextFormat = { format: textOf, parse: typed => typed.trim() || undefined }

/** A text without spaces around it. */
export const trimmed: TextFormat = { format: textOf, parse: typed => typed.trim() }

/**
 * A number, also with separators of thousands, a decimal comma or a dollar sign. A negative number is a value, so that
 * its error names the limit. An empty text is an unset value.
 */
export const amount: TextFormat = {
  format: value => (Number.isInteger(value) ? (value as number).toLocaleString('en-US') : textOf(value)),
  parse: typed => {
    const digits = typed
      .trim()
      .replace(/^\$\s*/, '')
      .replace(/^-?\d{1,3}(,\d{3})+(?=\.|$)/, thousands => thousands.replaceAll(',', ''))
      .replace(',', '.')
    if (digits === '') return undefined
    return /^-?\d+(\.\d+)?$/.test(digits) ? Number(digits) : digits
  }
}

/** Like `amount`. An empty text is null. */
export const amountOrNone: TextFormat = { ...amount, parse: typed => amount.parse(typed) ?? null }

/** Names that are separated by commas. */
export const names: TextFormat = {
  format: value => listed(value, ', '),
  parse: typed => orUnset(typed.split(',').flatMap(name => name.trim() || []))
}

/** Words that are separated by spaces or commas. */
export const words: TextFormat = {
  format: value => listed(value, ' '),
  parse: typed => orUnset(typed.split(/[\s,]+/).filter(Boolean))
}

/** A list with one item per line. Empty lines are skipped. Spaces in other lines stay. */
export const lines: TextFormat = {
  format: value => listed(value, '\n'),
  parse: typed => orUnset(typed.split('\n').filter(line => line.trim() !== ''))
}

/** A JSON value. An empty text is an unset value. */
export const json: TextFormat = {
  format: value =>
    value === undefined || typeof value === 'string' ? textOf(value) : JSON.stringify(value, null, 2),
  parse: typed => {
    if (typed.trim() === '') return undefined
    try {
      return JSON.parse(typed)
    } catch {
      return typed
    }
  }
}
