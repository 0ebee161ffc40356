import type { Block } from './expression.ts'
import { HclError, type Position, shown } from './hcl-error.ts'

/**
 * Returns a function that you call with each block of this type, in order. It returns the block's first label, which
 * is its name.
 * @throws HclError from the returned function, if a block has no label or repeats an earlier name
 */
export function unique(type: string): (block: Block) => string {
  const seen = new Map<string, Position>()
  return block => {
    const [label] = block.labels
    if (!label) throw new HclError(block, `${shown(type)} needs a name: write ${type} "name" {`)
    const first = seen.get(label.value)
    if (first)
      throw new HclError(
        label,
        `${type} ${shown(label.value)} is already defined at ${first.line}:${first.column}: rename one of them`
      )
    seen.set(label.value, label)
    return label.value
  }
}
