import type { Cursor } from './cursor.ts'
import type { Expression } from './expression.ts'
import type { Position } from './hcl-error.ts'

type Part = string | Expression

/**
 * A string or a heredoc, whose opener is the token at hand. Of a `<<-` the indent that all lines share is taken away; lines of
 * blanks alone do not count.
 */
export function parseTemplate(cursor: Cursor, expression: (cursor: Cursor) => Expression): Expression {
  const { line, column, text } = cursor.token
  const parts = cursor.between('read', 'close', () => readParts(cursor, expression))
  return joined(text.startsWith('<<-') ? outdented(parts) : parts, { line, column })
}

function readParts(cursor: Cursor, expression: (cursor: Cursor) => Expression): Part[] {
  const parts: Part[] = []
  for (;;) {
    if (cursor.token.type === 'text') parts.push(cursor.take().text)
    else if (cursor.token.type === '${') parts.push(cursor.between('skipped', '}$', () => expression(cursor)))
    else return parts
  }
}

function outdented(parts: Part[]): Part[] {
  const isFirst = (place: number) => {
    const before = parts[place - 1]
    return place === 0 || (typeof before === 'string' && before.endsWith('\n'))
  }
  const indents = parts.map((part, place) => {
    if (!isFirst(place)) return Number.POSITIVE_INFINITY
    if (typeof part !== 'string') return 0
    const rest = part.trimStart()
    return rest === '' && part.endsWith('\n') ? Number.POSITIVE_INFINITY : part.length - rest.length
  })
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY)
  return parts.map((part, place) =>
    typeof part === 'string' && indents[place] !== Number.POSITIVE_INFINITY ? part.slice(shared) : part
  )
}

/** A string without interpolations is what it says, in Unicode's composed form (NFC), as HCL has all strings. */
function joined(parts: Part[], at: Position): Expression {
  if (parts.every(part => typeof part === 'string'))
    return { kind: 'literal', value: parts.join('').normalize('NFC'), ...at }
  return { kind: 'template', parts, ...at }
}
