import { Cursor } from './cursor.ts'
import type { Attribute, Block } from './expression.ts'
import { HclError, type Position, shown } from './hcl-error.ts'
import { parseExpression } from './parse-expression.ts'

/** The maximum size of a text, in bytes of UTF-8. */
const maxBytes = 1024 * 1024

/**
 * Parses a text in HashiCorp's configuration language, HCL 2 (003-18). docs/hcl.md lists the supported syntax and the
 * limits. The time is linear in the length of the text. Expressions are not evaluated: see `evaluate`.
 * @throws HclError at the first error, also if the text exceeds a limit
 */
export function parseHcl(text: string): Block {
  const start = { line: 1, column: 1 }
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes)
    throw new HclError(start, 'this text is too long: at most 1 MiB is permitted')
  if (!text.isWellFormed() || text.includes('\0'))
    throw new HclError(start, 'this text has an invalid character (NUL, or half of a pair): save it as UTF-8')
  const cursor = new Cursor(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'))
  const items = parseItems(cursor)
  if (!cursor.isEnd()) cursor.fail('expected the name of an attribute or a block')
  return { kind: 'block', type: 'file', labels: [], items, ...start }
}

/** Parses attributes and blocks up to a closing brace or the end. A line end must follow each of them. */
function parseItems(cursor: Cursor): Block['items'] {
  const items: Block['items'] = []
  const seen = new Map<string, Position>()
  for (;;) {
    cursor.skipLines()
    if (cursor.isEnd() || cursor.isSign('}')) return items
    const item = parseItem(cursor)
    if (item.kind === 'attribute') checkUnique(item, seen)
    items.push(item)
    if (cursor.isEnd()) return items
    if (cursor.token.type === 'newline') cursor.take()
    else
      cursor.fail(
        `expected a new line after ${item.kind === 'attribute' ? `the value of ${shown(item.name)}` : 'the "}" of a block'}`
      )
  }
}

function checkUnique({ name, line, column }: Attribute, seen: Map<string, Position>): void {
  const first = seen.get(name)
  if (first)
    throw new HclError(
      { line, column },
      `${shown(name)} is already set at ${first.line}:${first.column}: remove one of the two`
    )
  seen.set(name, { line, column })
}

function parseItem(cursor: Cursor): Attribute | Block {
  const { type, text: name, line, column } = cursor.token
  if (type === 'quote') cursor.fail('expected a name without quotes')
  if (type !== 'name') cursor.fail('expected the name of an attribute or a block')
  cursor.take()
  if (cursor.takeIf('='))
    return { kind: 'attribute', name, expression: parseExpression(cursor), line, column }
  const labels = parseLabels(cursor)
  if (!cursor.isSign('{'))
    cursor.fail(
      labels.length === 0
        ? `expected "=" or "{" after ${shown(name)}`
        : `expected "{" or a label in quotes after ${shown(name)} and its labels`
    )
  const items = cursor.between('read', '}', () => parseBody(cursor))
  return { kind: 'block', type: name, labels, items, line, column }
}

/**
 * Parses the body of a block after its opening brace. A block on one line can contain at most one attribute
 * (`OneLineBlock` in the HCL spec).
 */
function parseBody(cursor: Cursor): Block['items'] {
  if (cursor.token.type === 'newline') return parseItems(cursor)
  if (cursor.isSign('}')) return []
  const item = parseItem(cursor)
  if (item.kind === 'block')
    throw new HclError(
      item,
      'a block on one line can have only one attribute: put a nested block on its own line'
    )
  if (!cursor.isSign('}')) cursor.fail('expected "}" after the only attribute of a block on one line')
  return [item]
}

function parseLabels(cursor: Cursor): Block['labels'] {
  const labels: Block['labels'] = []
  for (;;) {
    const { type, text, line, column } = cursor.token
    if (type === 'name') {
      cursor.take()
      labels.push({ value: text, line, column })
    } else if (type === 'quote') {
      labels.push({ value: cursor.between('read', 'close', () => parseLabel(cursor)), line, column })
    } else return labels
  }
}

function parseLabel(cursor: Cursor): string {
  const value = cursor.token.type === 'text' ? cursor.take().text : ''
  if (cursor.token.type === '${') throw new HclError(cursor.token, `a label cannot contain \${…}`)
  return value
}
