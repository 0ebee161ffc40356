import {
  decode,
  type MarkdownNode,
  nodesIn,
  parseMarkdown,
  textOf
} from '#components/session/content/parse-markdown.ts'

/**
 * Converts an agent's Markdown to text for speech, one string for each block. Syntax, HTML and complete URLs
 * are left out, and a code block becomes "Code block.". It uses the transcript's parser, so that both contain
 * the same text.
 */
export const spokenBlocks = (text: string): string[] =>
  wordsIn(parseMarkdown(text))
    .split('\n')
    .map(words =>
      oneLine(words)
        .replace(/[, ]+$/, '')
        .trim()
    )
    .filter(Boolean)

const oneLine = (words: string) => words.replace(/\s+/g, ' ')

const wordsIn = (nodes: readonly MarkdownNode[]): string => nodes.map(wordsOf).join('')

/** Returns the words of a node. A block is on lines of its own, because the voice pauses between blocks. */
function wordsOf(node: MarkdownNode): string {
  switch (node.type) {
    case 'text':
      return node.tokens === undefined ? oneLine(decode(node.text)) : wordsIn(nodesIn(node))
    case 'escape':
    case 'codespan':
      return oneLine(node.text)
    case 'code':
      return '\nCode block.\n'
    case 'image':
      return oneLine(textOf(nodesIn(node)) || 'image')
    case 'link':
      return oneLine(linkWords(node.href, textOf([node])))
    case 'br':
      return ' '
    case 'list':
      return wordsIn(node.items)
    case 'table':
      return [node.header, ...node.rows]
        .map(row => `\n${row.map(cell => `${wordsIn(nodesIn(cell))}, `).join('')}\n`)
        .join('')
    case 'paragraph':
    case 'list_item':
    case 'heading':
    case 'hr':
    case 'blockquote':
      return `\n${wordsIn(nodesIn(node))}\n`
    default:
      return wordsIn(nodesIn(node))
  }
}

/** Returns the text of a link, or the host of its URL if the text is a URL. */
const linkWords = (url: string, text: string): string =>
  /^(https?:\/\/|www\.)/.test(text) && URL.canParse(url) ? new URL(url).host : text
