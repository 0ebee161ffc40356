import type { Tokens } from 'marked'
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { DoneIcon, ToDoIcon } from '#components/ui/icons.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { CodeBlock } from './code-block.tsx'
import { decode, type MarkdownNode, nodesIn, textOf } from './parse-markdown.ts'
import { SafeLink } from './safe-link.tsx'

/**
 * Renders the blocks of a Markdown text. HTML stays text, an image becomes a link with its alt text, and
 * only http, https and mailto links are links.
 */
export const renderMarkdown = (nodes: readonly MarkdownNode[]): ReactElement =>
  // The children are fixed, so they need no keys.
  createElement(Fragment, null, ...nodes.map(render))

/** Creates an element around the children of a node. */
const around = (tag: string, node: object, props: object | null = null): ReactElement =>
  createElement(tag, props, ...nodesIn(node).map(render))

const inline = (node: object): ReactElement => renderMarkdown(nodesIn(node))

function render(node: MarkdownNode): ReactNode {
  switch (node.type) {
    // In a list without blank lines, the text of an item is not a paragraph.
    case 'text':
      return node.tokens === undefined ? decode(node.text) : inline(node)
    case 'html':
    case 'escape':
      return node.text
    case 'paragraph':
      return around('p', node)
    // The page has an `h1` already, and agents do not need six levels.
    case 'heading':
      return around(node.depth < 3 ? 'h2' : 'h3', node)
    case 'em':
    case 'strong':
    case 'del':
    case 'blockquote':
      return around(node.type, node)
    case 'codespan':
      return <code>{node.text}</code>
    case 'code':
      return <CodeBlock text={node.text} info={node.lang ?? ''} />
    case 'br':
    case 'hr':
      return createElement(node.type)
    case 'list':
      return createElement(
        node.ordered ? 'ol' : 'ul',
        node.ordered && node.start !== 1 ? { start: node.start } : null,
        ...node.items.map(item => around('li', item, item.task ? { className: 'list-none' } : null))
      )
    case 'checkbox':
      return box(node.checked)
    case 'table':
      return table(node)
    case 'link':
      return node.autolink ? (
        <SafeLink url={node.href}>{node.text}</SafeLink>
      ) : (
        <SafeLink url={decode(node.href)}>{inline(node)}</SafeLink>
      )
    case 'image':
      return <SafeLink url={decode(node.href)}>{textOf(nodesIn(node)) || 'image'}</SafeLink>
    default:
      return null
  }
}

/** An icon in the place of the list's mark. Not every system has a font with the signs. */
const box = (checked: boolean) => (
  <span role="img" aria-label={checked ? 'done' : 'to do'} className="mr-1 -ml-5 inline-block align-[-2px]">
    {checked ? <DoneIcon /> : <ToDoIcon />}
  </span>
)

function table({ header, rows }: Tokens.Table): ReactElement {
  const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
    createElement(
      'tr',
      null,
      ...row.map(cell => around(tag, cell, { style: { textAlign: cell.align ?? undefined } }))
    )
  return (
    <ScrollBox label="Table">
      <table>
        <thead>{cells(header, 'th')}</thead>
        {rows.length === 0 ? null : createElement('tbody', null, ...rows.map(row => cells(row, 'td')))}
      </table>
    </ScrollBox>
  )
}
