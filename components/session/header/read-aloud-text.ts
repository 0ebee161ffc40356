import { isValidElement, type ReactNode } from 'react'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'

type Element = { type: unknown; props: { children?: ReactNode; alt?: string; href?: string } }

/** The elements that form a block. The voice pauses between blocks. */
const blocks = new Set(['p', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr', 'pre', 'hr', 'blockquote'])

/**
 * Converts an agent's Markdown to text for speech, one string for each block. Syntax, HTML and complete URLs
 * are left out, and a code block becomes "Code block.". It uses the transcript's parser, so that both contain
 * the same text.
 */
export function spokenBlocks(text: string): string[] {
  const spoken: string[] = ['']
  const say = (words: string) => spoken.push((spoken.pop() ?? '') + words)
  const walk = (node: ReactNode): void => {
    if (Array.isArray(node)) for (const child of node) walk(child)
    else if (typeof node === 'string') say(node)
    if (!isValidElement(node)) return
    const { type, props } = node as Element
    if (typeof type === 'string' && blocks.has(type)) spoken.push('')
    if (type === 'pre') say('Code block.')
    else if (type === 'img') say(props.alt || 'image')
    else if (type === 'a') say(linkWords(props))
    else walk(props.children)
    if (type === 'td' || type === 'th') say(', ')
    if (typeof type === 'string' && blocks.has(type)) spoken.push('')
  }
  walk(Markdown({ children: text, remarkPlugins: [remarkGfm], skipHtml: true }))
  return spoken
    .map(words =>
      words
        .replace(/\s+/g, ' ')
        .replace(/[,\s]+$/, '')
        .trim()
    )
    .filter(Boolean)
}

/** Returns the text of a link, or the host of its URL if the text is a URL. */
function linkWords({ href = '', children }: Element['props']): string {
  const words = textOf(children)
  return /^(https?:\/\/|www\.)/.test(words) && URL.canParse(href) ? new URL(href).host : words
}

const textOf = (node: ReactNode): string =>
  Array.isArray(node)
    ? node.map(textOf).join('')
    : isValidElement(node)
      ? textOf((node as Element).props.children)
      : typeof node === 'string'
        ? node
        : ''
