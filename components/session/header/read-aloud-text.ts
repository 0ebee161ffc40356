import {
  decode,
  type MarkdownNode,
  nodesIn,
  parseMarkdown,
  textOf
} from '#components/session/content/parse-markdown.ts'

/** The nodes that form a block. The voice pauses between blocks. */
const blocks = new Set<MarkdownNode['type']>([
  'paragraph',
  'list_item',
  'heading',
  'code',
  'hr',
  'blockquote',
  'table'
])

/**
 * Converts an agent's Markdown to text for speech, one string for each block. Syntax, HTML and complete URLs
 * are left out, and a code block becomes "Code block.". It uses the transcript's parser, so that both contain
 * the same text.
 */
export function spokenBlocks(text: string): string[] {
  const spoken: string[] = ['']
  const say = (words: string) => spoken.push((spoken.pop() ?? '') + words)
  const walk = (node: MarkdownNode): void => {
    const isBlock = blocks.has(node.type)
    if (isBlock) spoken.push('')
    const words = wordsOf(node)
    if (words !== undefined) say(words)
    else if (node.type === 'list') node.items.forEach(walk)
    else if (node.type === 'table')
      for (const row of [node.header, ...node.rows]) {
        spoken.push('')
        for (const cell of row) {
          nodesIn(cell).forEach(walk)
          say(', ')
        }
      }
    else nodesIn(node).forEach(walk)
    if (isBlock) spoken.push('')
  }
  parseMarkdown(text).forEach(walk)
  return spoken
    .map(words =>
      words
        .replace(/\s+/g, ' ')
        .replace(/[,\s]+$/, '')
        .trim()
    )
    .filter(Boolean)
}

/** Returns the words of a node. Undefined if they are those of its children. */
function wordsOf(node: MarkdownNode): string | undefined {
  switch (node.type) {
    case 'text':
      return node.tokens === undefined ? decode(node.text) : undefined
    case 'escape':
    case 'codespan':
      return node.text
    case 'code':
      return 'Code block.'
    case 'image':
      return textOf(nodesIn(node)) || 'image'
    case 'link':
      return linkWords(node.href, textOf([node]))
    case 'br':
      return ' '
    default:
      return undefined
  }
}

/** Returns the text of a link, or the host of its URL if the text is a URL. */
const linkWords = (url: string, text: string): string =>
  /^(https?:\/\/|www\.)/.test(text) && URL.canParse(url) ? new URL(url).host : text
