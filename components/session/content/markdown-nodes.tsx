import type { Definition, List, ListItem, Nodes, Parents, Root, Table } from 'mdast'
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { DoneIcon, ToDoIcon } from '#components/ui/icons.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { CodeBlock } from './code-block.tsx'
import { SafeLink } from './safe-link.tsx'

/** The link definitions of a text, by identifier. */
type Definitions = ReadonlyMap<string, Definition>

/**
 * Renders the syntax tree of a Markdown text. HTML stays text, an image becomes a link with its alt text, and
 * only http, https and mailto links are links.
 */
export const renderMarkdown = (root: Root): ReactElement =>
  around(Fragment, root, new Map(definitionsIn(root).map(one => [one.identifier, one])))

function definitionsIn(node: Nodes): Definition[] {
  if (node.type === 'definition') return [node]
  return 'children' in node ? node.children.flatMap(definitionsIn) : []
}

/** Creates an element around the children of a node. They are fixed, so they need no keys. */
const around = (
  tag: string | typeof Fragment,
  { children }: Pick<Parents, 'children'>,
  known: Definitions,
  props: object | null = null
): ReactElement => createElement(tag, props, ...children.map(child => render(child, known)))

function render(node: Nodes, known: Definitions): ReactNode {
  switch (node.type) {
    case 'text':
    case 'html':
      return node.value
    case 'paragraph':
      return around('p', node, known)
    // The page has an `h1` already, and agents do not need six levels.
    case 'heading':
      return around(node.depth <= 3 ? 'h2' : 'h3', node, known)
    case 'emphasis':
      return around('em', node, known)
    case 'strong':
      return around('strong', node, known)
    case 'delete':
      return around('del', node, known)
    case 'blockquote':
      return around('blockquote', node, known)
    case 'inlineCode':
      return <code>{node.value.replaceAll('\n', ' ')}</code>
    case 'code':
      return <CodeBlock text={node.value} language={node.lang ?? ''} />
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'list':
      return list(node, known)
    case 'table':
      return table(node, known)
    case 'link':
      return <SafeLink url={node.url}>{around(Fragment, node, known)}</SafeLink>
    case 'linkReference':
      return <SafeLink url={known.get(node.identifier)?.url ?? ''}>{around(Fragment, node, known)}</SafeLink>
    case 'image':
      return <SafeLink url={node.url}>{node.alt || 'image'}</SafeLink>
    case 'imageReference':
      return <SafeLink url={known.get(node.identifier)?.url ?? ''}>{node.alt || 'image'}</SafeLink>
    case 'footnoteReference':
      return <sup>{node.label ?? node.identifier}</sup>
    case 'footnoteDefinition':
      return (
        <div className="flex items-baseline gap-1">
          <sup>{node.label ?? node.identifier}</sup>
          {around('div', node, known)}
        </div>
      )
    default:
      return null
  }
}

/** In a list without blank lines, the text of an item is not a paragraph. */
function list(node: List, known: Definitions): ReactElement {
  const isLoose = node.spread === true || node.children.some(item => item.spread === true)
  const items = node.children.map(item => listItem(item, isLoose, known))
  if (!node.ordered) return createElement('ul', null, ...items)
  return createElement('ol', { start: node.start === 1 ? undefined : node.start }, ...items)
}

function listItem({ checked, children }: ListItem, isLoose: boolean, known: Definitions): ReactElement {
  // An icon in the place of the list's mark. Not every system has a font with the signs.
  const box =
    checked == null ? null : (
      <span
        role="img"
        aria-label={checked ? 'done' : 'to do'}
        className="mr-1 -ml-5 inline-block align-[-2px]"
      >
        {checked ? <DoneIcon /> : <ToDoIcon />}
      </span>
    )
  const props = checked == null ? null : { className: 'list-none' }
  const [first, ...others] = children
  const rest = others.map(child =>
    child.type === 'paragraph' && !isLoose ? around(Fragment, child, known) : render(child, known)
  )
  if (first?.type !== 'paragraph')
    return createElement('li', props, box, ...children.map(child => render(child, known)))
  const text = around(Fragment, first, known)
  const head = isLoose ? (
    <p>
      {box}
      {text}
    </p>
  ) : (
    <>
      {box}
      {text}
    </>
  )
  return createElement('li', props, head, ...rest)
}

function table({ align, children: [head, ...rows] }: Table, known: Definitions): ReactElement {
  const cells = (row: Table['children'][number] | undefined, tag: 'th' | 'td') =>
    createElement(
      'tr',
      null,
      ...(row?.children ?? []).map((cell, at) =>
        around(tag, cell, known, { style: { textAlign: align?.[at] ?? undefined } })
      )
    )
  return (
    <ScrollBox label="Table">
      <table>
        <thead>{cells(head, 'th')}</thead>
        {rows.length === 0 ? null : createElement('tbody', null, ...rows.map(row => cells(row, 'td')))}
      </table>
    </ScrollBox>
  )
}
