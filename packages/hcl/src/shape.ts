import { evaluate, textOf } from './evaluate.ts'
import type { Attribute, Block, HclValue } from './expression.ts'
import { HclError, type Position, shown } from './hcl-error.ts'
import { meant } from './meant.ts'
import type { Scope } from './scope.ts'
import { kindOf } from './value-kind.ts'

/** A value with its position. For an attribute, that is the position of its expression. */
export type Located<T> = Position & { value: T }

/**
 * The kinds of values that attributes can have. `text` is a string, a number or a bool, as text. `strings` is a list of
 * strings, each with its position.
 */
type Kinds = {
  string: string
  bool: boolean
  text: string
  strings: Located<string>[]
  any: HclValue
}
type Kind = keyof Kinds
/** The kind of an attribute. With a `?`, the attribute is optional. */
type Declared = Kind | `${Kind}?`
type Attributes = Record<string, Declared>

/**
 * The permitted content of a block.
 * - `labels`: a name for each label, which error messages show. All labels are required.
 * - `attributes`: the kind of each attribute, by name.
 * - `blocks`: the types of blocks in it. `one` permits at most one, `many` any number. No block is required.
 * - `onUnknown`: receives the problem of an unknown attribute or block, which is then skipped. By default, it is an error.
 */
export type Shape<A extends Attributes> = {
  labels?: readonly string[]
  attributes?: A
  blocks?: Record<string, 'one' | 'many'>
  onUnknown?: (problem: HclError) => void
}

type Values<A extends Attributes> = {
  [K in keyof A]: A[K] extends `${infer T extends Kind}?`
    ? Located<Kinds[T]> | undefined
    : Located<Kinds[A[K] & Kind]>
}

/**
 * Checks a block against its shape and evaluates its attributes. Returns its labels, the values of its attributes with
 * their positions, and its blocks in the order of the text. It does not check the content of those blocks.
 *
 * @throws HclError at an unknown attribute, block or label, at a value of another kind, and at an empty label or one of
 * more than 100 characters. A missing attribute or label is reported at the block.
 */
export function readBlock<const A extends Attributes = Record<never, Declared>>(
  block: Block,
  { labels = [], attributes, blocks = {}, onUnknown }: Shape<A>,
  scope: Scope
): { labels: string[]; values: Values<A>; blocks: Block[] } {
  checkLabels(block, labels)
  const declared: Attributes = attributes ?? {}
  const values = new Map<string, Located<Kinds[Kind]>>()
  const children: Block[] = []
  for (const item of block.items) {
    const problem = unknownItem(item, block, declared, blocks)
    if (problem !== undefined && onUnknown === undefined) throw problem
    if (problem !== undefined) onUnknown?.(problem)
    else if (item.kind === 'attribute') values.set(item.name, convert(kindIn(declared, item), item, scope))
    else children.push(checkChild(item, block, blocks, children))
  }
  for (const [name, kind] of Object.entries(declared))
    if (!kind.endsWith('?') && !values.has(name))
      throw new HclError(block, `${describe(block)} needs ${shown(name)}: set ${name} = …`)
  return {
    labels: block.labels.map(({ value }) => value),
    values: Object.fromEntries(values) as Values<A>,
    blocks: children
  }
}

/** Returns the first block of a type, or undefined. Use it for types that the shape declares as `one`. */
export const blockOf = (blocks: Block[], type: string) => blocks.find(block => block.type === type)

/**
 * Evaluates a block with arbitrary attributes, such as `env`. Returns them in the order of the text, as strings.
 * @throws HclError if the block has labels or blocks, or if a value is not a string, a number or a bool
 */
export function readEntries(block: Block, scope: Scope): Map<string, Located<string>> {
  checkLabels(block, [])
  const entries = block.items.map(item => {
    if (item.kind === 'block')
      throw new HclError(
        item,
        `${describe(block)} can have only attributes, not blocks: write ${item.type} = …`
      )
    return [item.name, toText(item, evaluate(item.expression, scope))] as const
  })
  return new Map(entries)
}

function checkLabels(block: Block, labels: readonly string[]): void {
  const { type, labels: found } = block
  const example = [type, ...labels.map(label => `"${label}"`), '{'].join(' ')
  if (found.length < labels.length)
    throw new HclError(
      block,
      `${shown(type)} needs ${labels.length === 1 ? 'a label' : `${labels.length} labels`}: write ${example}`
    )
  const extra = found[labels.length]
  if (extra) throw new HclError(extra, `unexpected label ${shown(extra.value)}: write ${example}`)
  const empty = found.find(({ value }) => value.trim() === '' || value.length > 100)
  if (empty) throw new HclError(empty, 'a label must have 1 to 100 characters')
}

/** Returns the problem of an attribute or block that is not declared, or undefined. */
function unknownItem(
  item: Attribute | Block,
  block: Block,
  declared: Attributes,
  blocks: object
): HclError | undefined {
  const isAttribute = item.kind === 'attribute'
  const name = isAttribute ? item.name : item.type
  const [own, other] = isAttribute ? [declared, blocks] : [blocks, declared]
  if (Object.hasOwn(own, name)) return undefined
  if (Object.hasOwn(other, name))
    return new HclError(
      item,
      isAttribute
        ? `${shown(name)} is a block: write it as ${name} { … }, without "="`
        : `${shown(name)} is an attribute: write ${name} = …`
    )
  const kind = isAttribute ? 'attribute' : 'block'
  return new HclError(
    item,
    `unknown ${kind} ${shown(name)} in ${describe(block)}: ${meant(name, Object.keys(own))}`
  )
}

const kindIn = (declared: Attributes, { name }: Attribute) => declared[name]!.replace('?', '') as Kind

function checkChild(
  item: Block,
  block: Block,
  blocks: Record<string, 'one' | 'many'>,
  earlier: Block[]
): Block {
  const { type } = item
  if (blocks[type] === 'one' && earlier.some(other => other.type === type))
    throw new HclError(
      item,
      `${describe(block)} can have only one block ${shown(type)}: move everything into the first one`
    )
  return item
}

function convert(kind: Kind, attribute: Attribute, scope: Scope): Located<Kinds[Kind]> {
  const { name, expression } = attribute
  const value = evaluate(expression, scope)
  const at = { line: expression.line, column: expression.column }
  switch (kind) {
    case 'string':
      if (typeof value === 'string') return { value, ...at }
      throw wrongKind(name, 'a string', value, at)
    case 'bool':
      if (typeof value === 'boolean') return { value, ...at }
      throw wrongKind(name, 'a bool (true or false)', value, at)
    case 'text':
      return toText(attribute, value)
    case 'any':
      return { value, ...at }
    case 'strings': {
      if (!Array.isArray(value)) throw wrongKind(name, 'a list of strings', value, at)
      const expressions = expression.kind === 'list' ? expression.items : []
      const items = value.map((item, index) => {
        const { line, column } = expressions[index] ?? at
        if (typeof item !== 'string') throw wrongKind(name, 'a list of strings', item, { line, column })
        return { value: item, line, column }
      })
      return { value: items, ...at }
    }
  }
}

function toText({ name, expression }: Attribute, value: HclValue): Located<string> {
  if (value === null || typeof value === 'object')
    throw wrongKind(name, 'a string, a number or a bool', value, expression)
  return { value: textOf(value), line: expression.line, column: expression.column }
}

function wrongKind(name: string, expected: string, found: HclValue, at: Position): HclError {
  return new HclError(at, `${shown(name)} must be ${expected}, not ${kindOf(found)}`)
}

function describe({ type, labels }: Block): string {
  return type === 'file' && labels.length === 0
    ? 'this text'
    : [type, ...labels.map(({ value }) => shown(value))].join(' ')
}
