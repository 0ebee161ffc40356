import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** GFM as GitHub reads it: tables, task lists, strikethrough, bare URLs and footnotes. */
const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/**
 * Matches a line with 100 or more nested quotes and lists. The parser needs quadratic time for them, and the
 * page could not show the result, because each level is a nested element.
 */
const tooDeep = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){100}/m

/**
 * Parses Markdown (CommonMark and GFM) into its syntax tree, mdast. Any text is valid Markdown. A text with
 * very deep nesting becomes one paragraph.
 */
export function parseMarkdown(text: string): Root {
  if (!tooDeep.test(text)) return fromMarkdown(text, options)
  return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value: text }] }] }
}

/** Returns the text of a node without its syntax. */
export function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
