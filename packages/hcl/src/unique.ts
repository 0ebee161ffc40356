import type { Block } from './expression.ts'
import { HclError, type Position, shown } from './hcl-error.ts'

/** Takes the names of blocks, one after the other. @throws HclError at one that was there before */
export function unique(what: string): (block: Block) => string {
  const seen = new Map<string, Position>()
  return block => {
    const [label] = block.labels
    if (!label) throw new HclError(block, `${shown(what)} needs a name: write ${what} "name" {`)
    const before = seen.get(label.value)
    if (before)
      throw new HclError(
        label,
        `${what} ${shown(label.value)} is already defined at ${before.line}:${before.column}: rename one of them`
      )
    seen.set(label.value, label)
    return label.value
  }
}
