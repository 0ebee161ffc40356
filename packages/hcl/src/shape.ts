import { evaluate, textOf } from './evaluate.ts'
import type { Attribute, Block, HclValue } from './expression.ts'
import { HclError, type Position, shown } from './hcl-error.ts'
import { meant } from './meant.ts'
import type { Scope } from './scope.ts'
import { kindOf } from './value-kind.ts'

export type Located<T> = Position & { value: T }

/** `strings`: a list of them, each at its place. */
type Kinds = {
  string: string
  bool: boolean
  strings: Located<string>[]
}
type Kind = keyof Kinds
/** The kind of a value; with a `?` it may be missing. */
type Declared = Kind | `${Kind}?`
type Attributes = Record<string, Declared>

/** What a block may hold. `labels`: what each label is called; `blocks`: the types of blocks in it, and how many of each. */
export type Shape<A extends Attributes> = {
  labels?: readonly string[]
  attributes?: A
  blocks?: Record<string, 'one' | 'many'>
}

type Values<A extends Attributes> = {
  [K in keyof A]: A[K] extends `${infer T extends Kind}?`
    ? Located<Kinds[T]> | undefined
    : Located<Kinds[A[K] & Kind]>
}

/**
 * A block as its shape declares it: the values of its attributes, each with its place, and its blocks in the order of the text.
 * @throws HclError at what the shape does not know, at a value of another kind, and at the block where something is missing
 */
export function readBlock<const A extends Attributes = Record<never, Declared>>(
  block: Block,
  { labels = [], attributes, blocks = {} }: Shape<A>,
  scope: Scope
): { labels: string[]; values: Values<A>; blocks: Block[] } {
  checkLabels(block, labels)
  const declared: Attributes = attributes ?? {}
  const values = new Map<string, Located<Kinds[Kind]>>()
  const inside: Block[] = []
  for (const item of block.items)
    if (item.kind === 'attribute') values.set(item.name, readAttribute(item, block, declared, blocks, scope))
    else inside.push(known(item, block, declared, blocks, inside))
  for (const [name, kind] of Object.entries(declared))
    if (!kind.endsWith('?') && !values.has(name))
      throw new HclError(block, `${called(block)} needs ${shown(name)}: set ${name} = …`)
  return {
    labels: block.labels.map(({ value }) => value),
    values: Object.fromEntries(values) as Values<A>,
    blocks: inside
  }
}

/** The one block of a type that may be there once. */
export const blockOf = (blocks: Block[], type: string) => blocks.find(block => block.type === type)

/** Attributes with names of the text's own choice, in its order, and no blocks: plain values, as strings. */
export function readEntries(block: Block, scope: Scope): Map<string, Located<string>> {
  checkLabels(block, [])
  const entries = block.items.map(item => {
    if (item.kind === 'block')
      throw new HclError(
        item,
        `${called(block)} can have only attributes, not blocks: write ${item.type} = …`
      )
    return [item.name, plain(item, evaluate(item.expression, scope))] as const
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

function readAttribute(
  item: Attribute,
  block: Block,
  declared: Attributes,
  blocks: object,
  scope: Scope
): Located<Kinds[Kind]> {
  const { name } = item
  if (Object.hasOwn(declared, name)) return as(declared[name]!.replace('?', '') as Kind, item, scope)
  if (Object.hasOwn(blocks, name))
    throw new HclError(item, `${shown(name)} is a block: write it as ${name} { … }, without "="`)
  throw new HclError(
    item,
    `unknown attribute ${shown(name)} in ${called(block)}: ${meant(name, Object.keys(declared))}`
  )
}

function known(
  item: Block,
  block: Block,
  declared: object,
  blocks: Record<string, 'one' | 'many'>,
  before: Block[]
): Block {
  const { type } = item
  if (Object.hasOwn(declared, type))
    throw new HclError(item, `${shown(type)} is an attribute: write ${type} = …`)
  if (!Object.hasOwn(blocks, type))
    throw new HclError(
      item,
      `unknown block ${shown(type)} in ${called(block)}: ${meant(type, Object.keys(blocks))}`
    )
  if (blocks[type] === 'one' && before.some(other => other.type === type))
    throw new HclError(
      item,
      `${called(block)} can have only one block ${shown(type)}: move everything into the first one`
    )
  return item
}

function as(kind: Kind, attribute: Attribute, scope: Scope): Located<Kinds[Kind]> {
  const { name, expression } = attribute
  const value = evaluate(expression, scope)
  const at = { line: expression.line, column: expression.column }
  switch (kind) {
    case 'string':
      if (typeof value === 'string') return { value, ...at }
      throw notOf(name, 'a string', value, at)
    case 'bool':
      if (typeof value === 'boolean') return { value, ...at }
      throw notOf(name, 'a bool (true or false)', value, at)
    case 'strings': {
      if (!Array.isArray(value)) throw notOf(name, 'a list of strings', value, at)
      const places = expression.kind === 'list' ? expression.items : []
      const items = value.map((item, place) => {
        const { line, column } = places[place] ?? at
        if (typeof item !== 'string') throw notOf(name, 'a list of strings', item, { line, column })
        return { value: item, line, column }
      })
      return { value: items, ...at }
    }
  }
}

function plain({ name, expression }: Attribute, value: HclValue): Located<string> {
  if (value === null || typeof value === 'object')
    throw notOf(name, 'a string, a number or a bool', value, expression)
  return { value: textOf(value), line: expression.line, column: expression.column }
}

function notOf(name: string, wanted: string, found: HclValue, where: Position): HclError {
  return new HclError(where, `${shown(name)} must be ${wanted}, not ${kindOf(found)}`)
}

function called({ type, labels }: Block): string {
  return type === 'file' && labels.length === 0
    ? 'this text'
    : [type, ...labels.map(({ value }) => shown(value))].join(' ')
}
