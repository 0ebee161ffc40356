import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { Lexer, type MarkedToken } from 'marked'

/** A node of a parsed Markdown text. */
export type MarkdownNode = MarkedToken

/**
 * Matches a line with 100 or more nested quotes and lists. The parser needs quadratic time for them, and the
 * page could not show the result, because each level is a nested element.
 */
const tooDeep = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){100}/m

/**
 * Parses Markdown (CommonMark, and the tables, task lists, strikethrough and bare URLs of GFM) into blocks. Any text
 * is valid Markdown. A text with very deep nesting becomes one paragraph.
 */
export function parseMarkdown(text: string): MarkdownNode[] {
  // With options of its own, the parser ignores the global ones, which a host page can change.
  if (!tooDeep.test(text)) return Lexer.lex(text, { gfm: true }) as MarkdownNode[]
  const words: MarkdownNode = { type: 'escape', raw: text, text }
  return [{ type: 'paragraph', raw: text, text, tokens: [words] }]
}

/** Returns the children of a node. Without extensions, all nodes have a known type. */
export const nodesIn = (node: object): MarkdownNode[] =>
  'tokens' in node ? ((node.tokens ?? []) as MarkdownNode[]) : []

/** Matches a character reference, such as `&copy;` or `&#xa9;`. */
const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g

/** Decodes the character references of a text or URL. An unknown reference stays text. */
export const decode = (text: string): string =>
  text.replace(reference, (whole, decimal, hex, name) =>
    name === undefined
      ? characterOf(Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10))
      : decodeNamedCharacterReference(name) || whole
  )

/** Zero, surrogates and numbers outside Unicode become the replacement character (CommonMark 0.31, section 2.5). */
const characterOf = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code)

/** Returns the text of inline nodes without their syntax. */
export const textOf = (nodes: readonly MarkdownNode[]): string => nodes.map(textOfNode).join('')

function textOfNode(node: MarkdownNode): string {
  switch (node.type) {
    case 'text':
      return node.tokens === undefined ? decode(node.text) : textOf(nodesIn(node))
    case 'link':
      return node.autolink ? node.text : textOf(nodesIn(node))
    case 'escape':
    case 'codespan':
    case 'html':
      return node.text
    default:
      return textOf(nodesIn(node))
  }
}
