const MAX_CHARS = 200
const MAX_ITEMS = 10

/**
 * Formats a value for use in a sentence, on one line.
 * - A text is in quotation marks. A list of texts has at most 10 of them.
 * - An object whose only field is a text, a number or a list of texts becomes the value of that field.
 * - Other values become JSON.
 *
 * Each text or JSON is shortened to 200 characters.
 */
export function quote(value: unknown): string {
  if (typeof value === 'string') return `“${shorten(value)}”`
  if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')) {
    return value.slice(0, MAX_ITEMS).map(quote).join(', ')
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.values(value)
    const plain = typeof fields[0] === 'string' || typeof fields[0] === 'number' || isTexts(fields[0])
    if (fields.length === 1 && plain) return quote(fields[0])
  }
  return shorten(JSON.stringify(value) ?? 'nothing')
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')

function shorten(text: string): string {
  const line = text
    .slice(0, 8 * MAX_CHARS)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= MAX_CHARS && text.length <= 8 * MAX_CHARS) return line
  // Half of a surrogate pair is not a character.
  const cut = line.slice(0, MAX_CHARS)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
