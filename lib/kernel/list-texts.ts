import type { Message } from '@waystation/protocol/session/message.ts'

const maxTitle = 80
const maxPreview = 160
/** How much of a text is considered. */
const maxText = 4000

/**
 * Returns a title for a session from its first message: the first line as plain text. JSON is replaced by its values,
 * and a URL by its host and path, or its path if it is of this machine: `use web-fetch {"url":"https://a.example/b?c"}` is "web-fetch a.example/b".
 */
export function titleFrom(text: string): string {
  const [line = ''] = linesOf(text)
  return shortened(line, maxTitle)
}

/** Returns the first sentence of a message as plain text, for lists and notifications. */
export function previewFrom(text: string): string {
  const lines = linesOf(text)
  const end = lines.indexOf('')
  const paragraph = lines.slice(0, end === -1 ? undefined : end).join(' ')
  const [sentence = paragraph] = /^.+?[.!?…]["”’)]*(?=\s+["“(]?[\p{Lu}\p{N}])/u.exec(paragraph) ?? []
  return shortened(sentence, maxPreview)
}

/** Returns the preview of the last text of a message, which follows its calls. Empty without a text. */
export function previewOfLast(message: Pick<Message, 'parts'> | undefined): string {
  const texts = message?.parts.flatMap(part => (part.type === 'text' ? part.text.trim() || [] : []))
  return previewFrom(texts?.at(-1) ?? '')
}

/** Returns the lines as plain text, without empty ones at the start. An empty line separates paragraphs. */
function linesOf(text: string): string[] {
  const fenceless = text.slice(0, maxText).replace(/^[ \t]*(?:```|~~~).*$/gm, '')
  const lines = withoutJson(fenceless)
    .split('\n')
    .map(line => line.trim())
    .filter(line => !/^[-=*_|: ]{3,}$/.test(line))
    // A heading is a paragraph.
    .flatMap(line => (/^#{1,6}\s/.test(line) ? [plain(line), ''] : [plain(line)]))
  const first = lines.findIndex(line => line !== '')
  return first === -1 ? [] : lines.slice(first)
}

const plain = (line: string): string =>
  line
    .replace(/^(?:>\s?)*(?:[-*+]\s+(?:\[[ xX]\]\s+)?)?/, '')
    .replace(/(^|\s)#{1,6}\s+/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<?https?:\/\/[^\s<>"')\]]+>?/g, shortUrl)
    .replace(/(?<![\w.-])localhost(?::\d+)?\/(?=\w)/g, '')
    .replace(/`|~~|(?<![\p{L}\p{N}])(?:\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3})(?![\p{L}\p{N}])/gu, '')
    .replace(/^\||\|$/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns the host and the path of a URL. Its user, query and fragment can contain secrets. */
function shortUrl(written: string): string {
  const [, url = '', after = ''] = /^<?(.*?)([.,;:!?]*)>?$/.exec(written) ?? []
  if (!URL.canParse(url)) return written
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/$/, '')}${after}`
}

/** Replaces each JSON object by its values, or by its names and values if the text is nothing else. */
function withoutJson(text: string): string {
  const start = text.indexOf('{')
  const object = start === -1 ? undefined : objectAt(text, start)
  if (object === undefined) return text
  const before = text.slice(0, start).replace(/^use (?=[\w-]+\s*$)/i, '')
  const words = Object.entries(object.value).flatMap(([name, value]) =>
    typeof value === 'object' ? [] : [before.trim() === '' ? `${name}: ${value}` : String(value)]
  )
  const shown = words.join(before.trim() === '' ? ', ' : ' ')
  return `${before}${shown}${withoutJson(text.slice(object.end))}`
}

/** Reads the JSON object that starts at a position. */
function objectAt(text: string, start: number): { value: object; end: number } | undefined {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isString && character === '\\') at++
    else if (character === '"') isString = !isString
    else if (!isString && character === '{') depth++
    else if (!isString && character === '}' && --depth === 0) {
      try {
        return { value: JSON.parse(text.slice(start, at + 1)) as object, end: at + 1 }
      } catch {
        return undefined
      }
    }
  }
  return undefined
}

/** Shortens a text at a space. It never ends within a character. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1).toWellFormed()
  const space = cut.lastIndexOf(' ')
  return `${space > max / 2 ? cut.slice(0, space) : cut.replace(/\uFFFD$/, '')}…`
}
