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
} from '@waystation/hcl'

/** A block in a component that is not a component itself, for example `field "title" { … }` in a form. */
export type ViewBlock = {
  type: string
  labels: string[]
  attributes: Record<string, HclValue>
  blocks: ViewBlock[]
}

/**
 * A component of a view. `children` are the components in it and `blocks` the other blocks, in the order of the
 * text. Types are not checked.
 */
export type ViewComponent = {
  name: string
  type: string
  attributes: Record<string, HclValue>
  children: ViewComponent[]
  blocks: ViewBlock[]
}

type Reading = { scope: Scope; seen: Map<string, Position>; left: number }

/** The maximum number of components and blocks in a view. */
const maxNodes = 2_000

/**
 * Parses the HCL of a RenderView response into components, in their order (003-12).
 * @throws HclError also for a duplicate name, and for more than 2,000 components and blocks
 */
export function readView(text: string): ViewComponent[] {
  const scope = scopeWith()
  const { blocks } = readBlock(parseHcl(text), { blocks: { component: 'many' } }, scope)
  const reading = { scope, seen: new Map(), left: maxNodes }
  return blocks.map(block => readComponent(block, reading))
}

function readComponent(block: Block, reading: Reading): ViewComponent {
  countNode(block, reading)
  const name = nameOf(block, reading)
  const { type, ...attributes } = attributesOf(block, reading)
  if (typeof type !== 'string' || type === '') {
    const typeOrBlock = block.items.find(item => item.kind === 'attribute' && item.name === 'type') ?? block
    throw new HclError(typeOrBlock, `component ${shown(name)} needs a type: write type = "text"`)
  }
  const children = block.items.filter(item => item.kind === 'block')
  return {
    name,
    type,
    attributes,
    children: children.filter(isComponent).map(child => readComponent(child, reading)),
    blocks: children.filter(child => !isComponent(child)).map(child => readPart(child, reading))
  }
}

function readPart(block: Block, reading: Reading): ViewBlock {
  countNode(block, reading)
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
  const first = seen.get(label.value)
  if (first)
    throw new HclError(
      label,
      `component ${shown(label.value)} is already defined at ${first.line}:${first.column}: use another name`
    )
  seen.set(label.value, label)
  return label.value
}

function attributesOf({ items }: Block, { scope }: Reading): Record<string, HclValue> {
  const attributes = items.filter(item => item.kind === 'attribute')
  return Object.fromEntries(attributes.map(({ name, expression }) => [name, evaluate(expression, scope)]))
}

function countNode(block: Block, reading: Reading): void {
  reading.left--
  if (reading.left < 0)
    throw new HclError(block, `a view can have at most ${maxNodes} components and blocks: show less at once`)
}
