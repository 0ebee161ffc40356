import { parseSync, Visitor } from 'oxc-parser'

/**
 * A change within one line, after which the file still parses: `text` replaces the characters from `start` to
 * `end`.
 *
 * @typedef {{ file: string, line: number, kind: string, start: number, end: number, text: string }} Mutant
 */

const swapped = /** @type {Record<string, string>} */ ({
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/'
})

/** Calls that tests do not have to notice: log lines, metrics and the points where tests stop a process. */
const untested = /^(await )?(log|addFields|failpoint|observer\(\)[\w.]*|console\.\w+)\(/

/**
 * Returns every mutant of a TypeScript file, in source order.
 *
 * @param {string} file its path, for the mutants
 * @param {string} source
 * @returns {Mutant[]}
 */
export function findMutants(file, source) {
  /** @type {Mutant[]} */
  const mutants = []
  /** @param {string} kind @param {number} start @param {number} end @param {string} text */
  const add = (kind, start, end, text) => {
    const isDuplicate = mutants.some(
      other => other.start === start && other.end === end && other.text === text
    )
    if (isDuplicate || source.slice(start, end).includes('\n')) return
    const mutant = { file, line: source.slice(0, start).split('\n').length, kind, start, end, text }
    if (parseSync(file, apply(source, mutant)).errors.length === 0) mutants.push(mutant)
  }
  const textOf = (/** @type {{ start: number, end: number }} */ { start, end }) => source.slice(start, end)
  /** @param {{ start: number, end: number }} test */
  const negate = test => add('negate a condition', test.start, test.end, `!(${textOf(test)})`)
  /** @param {{ left: { end: number }, right: { start: number }, operator: string }} node */
  const swap = ({ left, right, operator }) => {
    const other = swapped[operator]
    const at = source.indexOf(operator, left.end)
    if (other !== undefined && at < right.start) add('swap an operator', at, at + operator.length, other)
  }
  /** @param {{ body?: any, returnType?: any }} node */
  const returnEarly = ({ body, returnType }) => {
    const [first] = body?.type === 'BlockStatement' ? body.body : []
    if (first !== undefined && returnType && /\bvoid\b/.test(textOf(returnType)))
      add('return at once', first.start, first.start, 'return; ')
  }
  new Visitor({
    IfStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    BinaryExpression: swap,
    LogicalExpression: swap,
    FunctionDeclaration: returnEarly,
    FunctionExpression: returnEarly,
    ArrowFunctionExpression: returnEarly,
    ExpressionStatement(node) {
      if (!untested.test(textOf(node)) && /^(Await|Call)/.test(node.expression.type))
        add('drop a statement', node.start, node.end, ';')
    },
    Literal(node) {
      if (typeof node.value === 'number') add('change a number', node.start, node.end, `${node.value + 1}`)
      if (typeof node.value === 'boolean') add('flip a boolean', node.start, node.end, `${!node.value}`)
    },
    ObjectExpression({ properties }) {
      for (const { start, end } of properties)
        add('drop a property', start, end + (/^,\s?/.exec(source.slice(end))?.[0].trim().length ?? 0), '')
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (/(^|\.)(sql|tx)\b/.test(textOf(tag))) findInSql(source, quasi, add)
    }
  }).visit(parseSync(file, source).program)
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end || (a.kind < b.kind ? -1 : 1))
}

/**
 * @param {string} source
 * @param {{ start: number, end: number }} template
 * @param {(kind: string, start: number, end: number, text: string) => void} add
 */
function findInSql(source, template, add) {
  const text = source.slice(template.start, template.end)
  for (const { index } of text.matchAll(/(?<!\bbetween [^\n]*)\band\s/g))
    add('drop a clause of SQL', template.start + index, template.start + endOfClause(text, index + 3), '')
  for (const [pattern, to] of /** @type {[RegExp, string][]} */ ([
    [/\bis not null\b/g, 'is null'],
    [/\bis null\b/g, 'is not null'],
    [/\bnot exists\b/g, 'exists'],
    [/ < (?!=)/g, ' <= '],
    [/ > (?!=)/g, ' >= '],
    [/ <= /g, ' < '],
    [/ >= /g, ' > ']
  ]))
    for (const { 0: match, index } of text.matchAll(pattern))
      add('change a condition of SQL', template.start + index, template.start + index + match.length, to)
}

/**
 * Returns the end of a clause: the next clause, the end of the line, or the bracket that closes around it.
 *
 * @param {string} text
 * @param {number} from
 */
function endOfClause(text, from) {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (/[({]/.test(text[at] ?? '')) depth++
    if (/[)}]/.test(text[at] ?? '') && depth-- === 0) return at
    if (
      depth === 0 &&
      /^(\n|`| (and|or|order by|limit|returning|for|group by)\b)/.test(text.slice(at, at + 12))
    )
      return at
  }
  return text.length
}

/** Returns a file's source with the mutant applied. @param {string} source @param {Mutant} mutant */
export const apply = (source, { start, end, text }) => source.slice(0, start) + text + source.slice(end)
