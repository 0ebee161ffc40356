import type { Cursor } from './cursor.ts'
import type { Expression, Operator, Step } from './expression.ts'
import { HclError, type Position, shown } from './hcl-error.ts'
import { parseTemplate } from './parse-template.ts'

/** The binary operators, from the lowest to the highest precedence (HCL spec, "Operations"). */
const levels: readonly (readonly Operator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%']
]
const constants = { true: true, false: false, null: null }

/**
 * Parses an expression that starts at the current token.
 * @throws HclError at the first error. Its code is `UNSUPPORTED` for constructs that docs/hcl.md lists as differences.
 */
export function parseExpression(cursor: Cursor): Expression {
  const test = parseChain(cursor, 0)
  if (!cursor.isSign('?')) return test
  return cursor.nested(cursor.token, () => {
    cursor.take()
    const then = parseExpression(cursor)
    if (!cursor.takeIf(':')) cursor.fail('expected ":" and the value for a false condition')
    return { kind: 'conditional', test, then, otherwise: parseExpression(cursor), ...positionOf(test) }
  })
}

function parseChain(cursor: Cursor, level: number): Expression {
  const operators = levels[level]
  if (operators === undefined) return parseUnary(cursor)
  const first = parseChain(cursor, level + 1)
  const rest: { operator: Operator; operand: Expression }[] = []
  while (cursor.isSign(...operators)) {
    const operator = cursor.take().text as Operator
    rest.push({ operator, operand: parseChain(cursor, level + 1) })
  }
  return rest.length === 0 ? first : { kind: 'chain', first, rest, ...positionOf(first) }
}

function parseUnary(cursor: Cursor): Expression {
  if (!cursor.isSign('-', '!')) return parsePath(cursor)
  return cursor.nested(cursor.token, () => {
    const sign = cursor.take()
    const operand = parseUnary(cursor)
    return { kind: 'unary', operator: sign.text as '-' | '!', operand, ...positionOf(sign) }
  })
}

function parsePath(cursor: Cursor): Expression {
  const of = parseTerm(cursor)
  const steps: Step[] = []
  for (;;) {
    const at = positionOf(cursor.token)
    if (cursor.isSign('.')) {
      cursor.take()
      if (cursor.isSign('*')) failUnsupported(at, 'splats (.*)')
      if (cursor.token.type === 'number')
        failUnsupported(at, 'indexes after a dot', 'use brackets, as in [0]')
      if (cursor.token.type !== 'name') cursor.fail('expected a name after "."')
      steps.push({ name: cursor.take().text, ...at })
    } else if (cursor.isSign('[')) {
      const index = cursor.between('skipped', ']', () => {
        if (cursor.isSign('*')) failUnsupported(at, 'splats ([*])')
        return parseExpression(cursor)
      })
      steps.push({ index, ...at })
    } else return steps.length === 0 ? of : { kind: 'path', of, steps, ...positionOf(of) }
  }
}

function parseTerm(cursor: Cursor): Expression {
  const { type, text } = cursor.token
  const at = positionOf(cursor.token)
  if (type === 'quote' || type === 'heredoc') return parseTemplate(cursor, parseExpression)
  if (type === 'number') {
    const value = Number(cursor.take().text)
    if (!Number.isFinite(value))
      throw new HclError(at, `${shown(text)} is too large for a number`, 'UNSUPPORTED')
    return { kind: 'literal', value, ...at }
  }
  if (cursor.isSign('(')) return { ...cursor.between('skipped', ')', () => parseExpression(cursor)), ...at }
  if (cursor.isSign('['))
    return { kind: 'list', items: cursor.between('skipped', ']', () => parseList(cursor, ']')), ...at }
  if (cursor.isSign('{'))
    return { kind: 'map', entries: cursor.between('read', '}', () => parseEntries(cursor)), ...at }
  if (type !== 'name') cursor.fail('expected a value')
  cursor.take()
  if (cursor.isSign('::'))
    failUnsupported(cursor.token, 'namespaced functions (a::b)', 'use the plain name of the function')
  if (cursor.isSign('('))
    return {
      kind: 'call',
      name: text,
      arguments: cursor.between('skipped', ')', () => parseList(cursor, ')')),
      ...at
    }
  if (Object.hasOwn(constants, text))
    return { kind: 'literal', value: constants[text as keyof typeof constants], ...at }
  return { kind: 'variable', name: text, ...at }
}

function parseList(cursor: Cursor, close: string): Expression[] {
  const items: Expression[] = []
  if (close === ']') rejectForExpression(cursor)
  while (!cursor.isSign(close)) {
    items.push(parseExpression(cursor))
    if (cursor.isSign('...')) failUnsupported(cursor.token, 'spread arguments (...)')
    if (cursor.takeIf(',')) continue
    if (!cursor.isSign(close) && !cursor.isEnd()) cursor.fail(`expected "," or ${shown(close)}`)
    return items
  }
  return items
}

function parseEntries(cursor: Cursor): { key: Expression; value: Expression }[] {
  const entries: { key: Expression; value: Expression }[] = []
  cursor.skipLines()
  rejectForExpression(cursor)
  while (!cursor.isSign('}')) {
    const isBracketed = cursor.isSign('(')
    const key = parseExpression(cursor)
    if (!cursor.takeIf('=') && !cursor.takeIf(':')) cursor.fail('expected "=" or ":" after a key')
    entries.push({ key: isBracketed ? key : keyOf(key), value: parseExpression(cursor) })
    const isEnd = cursor.isSign('}') || cursor.isEnd()
    if (!isEnd && !cursor.takeIf(',') && cursor.token.type !== 'newline')
      cursor.fail('expected a new line, "," or "}" after a value')
    cursor.skipLines()
    if (cursor.isEnd()) return entries
  }
  return entries
}

/** A bare name as the key of a map is a string, not a variable (HCL spec, "Collection Values"). */
function keyOf(key: Expression): Expression {
  if (key.kind === 'variable') return { kind: 'literal', value: key.name, ...positionOf(key) }
  return key
}

function rejectForExpression({ token }: Cursor): void {
  if (token.type === 'name' && token.text === 'for')
    failUnsupported(token, '"for" expressions', 'list the items')
}

function failUnsupported(at: Position, construct: string, advice = 'list the values'): never {
  throw new HclError(at, `${construct} are not supported: ${advice}`, 'UNSUPPORTED')
}

function positionOf({ line, column }: Position): Position {
  return { line, column }
}
