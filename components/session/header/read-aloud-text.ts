import type { Nodes } from 'mdast'
import { parseMarkdown, textOf } from '#components/session/content/parse-markdown.ts'

/** The nodes that form a block. The voice pauses between blocks. */
const blocks = new Set<Nodes['type']>([
  'paragraph',
  'listItem',
  'heading',
  'tableRow',
  'code',
  'thematicBreak',
  'blockquote'
])

/**
 * Converts an agent's Markdown to text for speech, one string for each block. Syntax, HTML and complete URLs
 * are left out, and a code block becomes "Code block.". It uses the transcript's parser, so that both contain
 * the same text.
 */
export function spokenBlocks(text: string): string[] {
  const spoken: string[] = ['']
  const say = (words: string) => spoken.push((spoken.pop() ?? '') + words)
  const walk = (node: Nodes): void => {
    const isBlock = blocks.has(node.type)
    if (isBlock) spoken.push('')
    say(wordsOf(node))
    if ('children' in node && node.type !== 'link') for (const child of node.children) walk(child)
    if (node.type === 'tableCell') say(', ')
    if (isBlock) spoken.push('')
  }
  walk(parseMarkdown(text))
  return spoken
    .map(words =>
      words
        .replace(/\s+/g, ' ')
        .replace(/[,\s]+$/, '')
        .trim()
    )
    .filter(Boolean)
}

/** Returns the words of a node itself, without those of its children. A link includes its text. */
function wordsOf(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value
    case 'code':
      return 'Code block.'
    case 'image':
    case 'imageReference':
      return node.alt || 'image'
    case 'link':
      return linkWords(node.url, textOf(node))
    case 'break':
      return ' '
    default:
      return ''
  }
}

/** Returns the text of a link, or the host of its URL if the text is a URL. */
const linkWords = (url: string, text: string): string =>
  /^(https?:\/\/|www\.)/.test(text) && URL.canParse(url) ? new URL(url).host : text
