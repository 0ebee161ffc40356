import { type Block, type Kind, placeholder, withoutQuotes } from './block.ts'
import { parsePage } from './parse-page.ts'

type Node = {
  type: string
  value?: string
  children?: Node[]
  position?: { start: { line: number } }
}

const kinds: Record<string, Kind> = { paragraph: 'docs', heading: 'heading', tableCell: 'table' }

/**
 * Returns the paragraphs, headings and table cells of a Markdown text. Skips code, HTML, block quotes and the block
 * after `<!-- prose-ignore: reason -->`.
 */
export function markdownBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  const visit = (node: Node) => {
    const kind = kinds[node.type]
    if (kind !== undefined) blocks.push(blockOf(node, kind))
    else if (node.type !== 'blockquote') {
      let ignored = false
      for (const child of node.children ?? []) {
        if (!ignored) visit(child)
        ignored = child.type === 'html' && /^<!--\s*prose-ignore: \S/.test(child.value ?? '')
      }
    }
  }
  visit(parsePage(markdown))
  return blocks
}

function blockOf(block: Node, kind: Kind): Block {
  let text = ''
  const lines: [offset: number, line: number][] = []
  const add = (node: Node) => {
    lines.push([text.length, node.position?.start.line ?? 1])
    if (node.type === 'inlineCode') text += placeholder
    else if (node.type === 'text') text += node.value ?? ''
    else if (node.type === 'break') text += '\n'
    else for (const child of node.children ?? []) add(child)
  }
  for (const child of block.children ?? []) add(child)
  const plain = withoutQuotes(text)
  return {
    kind,
    text: plain,
    lineAt(offset) {
      const [start, line] = lines.findLast(([at]) => at <= offset) ?? [0, block.position?.start.line ?? 1]
      return line + (text.slice(start, offset).match(/\n/g)?.length ?? 0)
    }
  }
}
