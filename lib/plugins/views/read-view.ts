import {
  type Block,
  evaluate,
  HclError,
  type HclValue,
  type Position,
  parseHcl,
  readBlock,
  type Scope,
  scopeWith,
  shown
} from '#packages/hcl/src/index.ts'

/** A part of a component that is none itself, as `field "title" { … }` is of a form. */
export type ViewBlock = {
  type: string
  labels: string[]
  attributes: Record<string, HclValue>
  blocks: ViewBlock[]
}

/** `children`: the components in it, and `blocks` the other blocks, each in the order of the text. Types are not checked. */
export type ViewComponent = {
  name: string
  type: string
  attributes: Record<string, HclValue>
  children: ViewComponent[]
  blocks: ViewBlock[]
}

type Reading = { scope: Scope; seen: Map<string, Position>; left: number }

/** The most components and blocks that a view may have. */
const mostNodes = 2_000

/**
 * The components that a plugin answers RenderView with (003-12), in their order.
 * @throws HclError also for a name that is there twice, and for more than 2,000 components and blocks
 */
export function readView(text: string): ViewComponent[] {
  const scope = scopeWith()
  const { blocks } = readBlock(parseHcl(text), { blocks: { component: 'many' } }, scope)
  const reading = { scope, seen: new Map(), left: mostNodes }
  return blocks.map(block => readComponent(block, reading))
}

function readComponent(block: Block, reading: Reading): ViewComponent {
  count(block, reading)
  const name = nameOf(block, reading)
  const { type, ...attributes } = attributesOf(block, reading)
  if (typeof type !== 'string' || type === '') {
    const at = block.items.find(item => item.kind === 'attribute' && item.name === 'type') ?? block
    throw new HclError(at, `component ${shown(name)} needs a type: write type = "text"`)
  }
  const inside = block.items.filter(item => item.kind === 'block')
  return {
    name,
    type,
    attributes,
    children: inside.filter(isComponent).map(child => readComponent(child, reading)),
    blocks: inside.filter(child => !isComponent(child)).map(child => readPart(child, reading))
  }
}

function readPart(block: Block, reading: Reading): ViewBlock {
  count(block, reading)
  const parts = block.items.filter(item => item.kind === 'block')
  const misplaced = parts.find(isComponent)
  if (misplaced)
    throw new HclError(
      misplaced,
      `a component cannot be inside ${shown(block.type)}: move it into a component`
    )
  return {
    type: block.type,
    labels: block.labels.map(({ value }) => value),
    attributes: attributesOf(block, reading),
    blocks: parts.map(part => readPart(part, reading))
  }
}

const isComponent = ({ type }: Block) => type === 'component'

function nameOf(block: Block, { seen }: Reading): string {
  const [label, extra] = block.labels
  if (!label || label.value.trim() === '' || extra)
    throw new HclError(extra ?? label ?? block, 'a component needs one name: write component "name" {')
  const before = seen.get(label.value)
  if (before)
    throw new HclError(
      label,
      `component ${shown(label.value)} is already defined at ${before.line}:${before.column}: use another name`
    )
  seen.set(label.value, label)
  return label.value
}

function attributesOf({ items }: Block, { scope }: Reading): Record<string, HclValue> {
  const attributes = items.filter(item => item.kind === 'attribute')
  return Object.fromEntries(attributes.map(({ name, expression }) => [name, evaluate(expression, scope)]))
}

function count(block: Block, reading: Reading): void {
  reading.left--
  if (reading.left < 0)
    throw new HclError(block, `a view can have at most ${mostNodes} components and blocks: show less at once`)
}
