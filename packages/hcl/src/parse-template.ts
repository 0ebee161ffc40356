import type { Cursor } from './cursor.ts'
import type { Expression } from './expression.ts'
import type { Position } from './hcl-error.ts'

type Part = string | Expression

/**
 * Parses a string or a heredoc, whose opener is the current token. For a `<<-` heredoc, it removes the indentation that
 * all lines share. Blank lines do not affect that indentation and stay unchanged.
 *
 * `parseExpression` parses an interpolation. It is a parameter because an import would create a cycle.
 */
export function parseTemplate(cursor: Cursor, parseExpression: (cursor: Cursor) => Expression): Expression {
  const { line, column, text } = cursor.token
  const parts = cursor.between('read', 'close', () => readParts(cursor, parseExpression))
  return toExpression(text.startsWith('<<-') ? withoutIndent(parts) : parts, { line, column })
}

function readParts(cursor: Cursor, parseExpression: (cursor: Cursor) => Expression): Part[] {
  const parts: Part[] = []
  for (;;) {
    if (cursor.token.type === 'text') parts.push(cursor.take().text)
    else if (cursor.token.type === '${')
      parts.push(cursor.between('skipped', '}$', () => parseExpression(cursor)))
    else return parts
  }
}

function withoutIndent(parts: Part[]): Part[] {
  const startsLine = (index: number) => {
    const before = parts[index - 1]
    return index === 0 || (typeof before === 'string' && before.endsWith('\n'))
  }
  const indents = parts.map((part, index) => {
    if (!startsLine(index)) return Number.POSITIVE_INFINITY
    if (typeof part !== 'string') return 0
    const rest = part.trimStart()
    return rest === '' && part.endsWith('\n') ? Number.POSITIVE_INFINITY : part.length - rest.length
  })
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY)
  return parts.map((part, index) =>
    typeof part === 'string' && indents[index] !== Number.POSITIVE_INFINITY ? part.slice(shared) : part
  )
}

/**
 * A string without interpolations is a literal. HashiCorp's parser normalizes string values to Unicode NFC, and so do
 * we. `evaluate` normalizes templates after it has joined their parts.
 */
function toExpression(parts: Part[], at: Position): Expression {
  if (parts.every(part => typeof part === 'string'))
    return { kind: 'literal', value: parts.join('').normalize('NFC'), ...at }
  return { kind: 'template', parts, ...at }
}
