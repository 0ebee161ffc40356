const LONGEST = 200

/**
 * A value in a sentence: text in quotation marks, an object with one plain field as that field, anything else as
 * JSON. Shortened, on one line, never cut inside a character.
 */
export function quote(value: unknown): string {
  if (typeof value === 'string') return `“${shorten(value)}”`
  if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')) {
    return value.slice(0, 10).map(quote).join(', ')
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
    .slice(0, 8 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= LONGEST && text.length <= 8 * LONGEST) return line
  const cut = line.slice(0, LONGEST)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
