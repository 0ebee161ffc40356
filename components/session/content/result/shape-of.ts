import { isJsonObject } from '@waystation/protocol/json-object.ts'

type Fields = Record<string, unknown>

/** How a result of a tool is shown. */
export type Shape =
  | { kind: 'text'; text: string }
  /** A page or file, with its text. */
  | {
      kind: 'page'
      text: string
      markdown: boolean
      url?: string | undefined
      title?: string | undefined
      facts: string
    }
  | { kind: 'table'; rows: readonly Fields[]; columns: readonly string[]; hidden: number }
  | { kind: 'fields'; fields: readonly (readonly [name: string, value: unknown])[] }
  | { kind: 'list'; items: readonly unknown[] }

/** The largest number of columns of a table. The JSON has the others. */
const mostColumns = 8

/** Returns the shape of a result. A text that is JSON has the shape of its value. */
export function shapeOf(value: unknown): Shape {
  if (typeof value === 'string') {
    const parsed = parsedFrom(value)
    return parsed === undefined ? { kind: 'text', text: value } : shapeOf(parsed)
  }
  if (Array.isArray(value)) {
    if (!isTable(value)) return { kind: 'list', items: value }
    const columns = [...new Set(value.flatMap(row => Object.keys(row)))]
    const shown = columns.slice(0, mostColumns)
    return { kind: 'table', rows: value, columns: shown, hidden: columns.length - shown.length }
  }
  if (!isJsonObject(value)) return { kind: 'text', text: String(value) }
  const text = mcpText(value)
  if (text !== undefined) return shapeOf(text)
  return pageOf(value) ?? { kind: 'fields', fields: Object.entries(value) }
}

export const isTable = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject)

/** Returns the value of a cell or field as text: a text as it is, anything else as JSON. */
export const cellText = (value: unknown): string =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

function parsedFrom(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the text of an MCP result that has only texts. */
function mcpText({ content }: Fields): string | undefined {
  if (!isTable(content)) return undefined
  const texts = content.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : []
  )
  return texts.length === content.length ? texts.join('\n\n') : undefined
}

function pageOf({ url, title, text, contentType, status }: Fields): Shape | undefined {
  if (typeof text !== 'string' || (typeof url !== 'string' && typeof contentType !== 'string'))
    return undefined
  return {
    kind: 'page',
    text,
    // A page's HTML arrives as Markdown. Raw HTML stays text.
    markdown: typeof contentType === 'string' && /markdown|html/.test(contentType),
    url: typeof url === 'string' ? url : undefined,
    title: typeof title === 'string' && title !== '' ? title : undefined,
    facts: [status, contentType].filter(fact => fact !== undefined).join(' · ')
  }
}
