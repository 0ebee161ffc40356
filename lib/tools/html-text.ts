import { setImmediate } from 'node:timers/promises'
import { Tokenizer } from 'htmlparser2'

/** The readable text of a page. `title` is the document's title, at most 300 characters. */
export type PageText = { title?: string; text: string }

/** How many characters are processed at a time. That takes a few milliseconds, and then other sessions run. */
const sliceLength = 64 * 1024

/** A main part with fewer characters is ignored, and the rest of the page is used too. */
const minLength = 200

const setOf = (list: string) => new Set(list.split(' '))

/** Elements without readable text. */
const hidden = setOf(
  'script style template svg canvas object audio video select datalist textarea iframe noembed noframes'
)
/** Elements around the content. They are read only if the rest is too short. */
const asideTags = setOf('nav aside footer dialog')
const mainTags = setOf('main article')
const paragraph = setOf('blockquote dl h1 h2 h3 h4 h5 h6 hr ol p pre section table ul')
const line = setOf(
  'address article aside body br center dd details div dt fieldset figcaption figure footer form header html li main ' +
    'nav summary tbody tfoot thead tr'
)

/**
 * Converts HTML to plain text: headings with `#`, list items with `-`, tabs between table cells, and empty lines
 * between paragraphs. If the page marks a main part, only that is used. It works on tokens without a tree, so its time
 * is linear in the page's length, even for deep or broken pages (`docs/decisions/`, "Reading web pages"). Rejects with
 * the signal's reason if that is aborted.
 */
export async function htmlText(html: string, signal?: AbortSignal): Promise<PageText> {
  const page = new Page()
  const tokenizer = new Tokenizer({}, callbacks(page, html))
  for (let start = 0; start < html.length; start += sliceLength) {
    tokenizer.write(html.slice(start, start + sliceLength))
    page.endSlice()
    await setImmediate()
    signal?.throwIfAborted()
  }
  tokenizer.end()
  return page.result(signal)
}

/** Collects text with the rank of its position: 2 is the main part, 1 the page, 0 around it. */
class Page {
  #pieces: { text: string; rank: number }[] = []
  /** Texts of the current slice. They all have the rank `#partsRank`. */
  #parts: string[] = []
  #partsRank = 1
  #open = new Map<string, number>()
  #rank = 1
  #last = '\n'
  #newlines = 2
  #title: { text: string; state: 'none' | 'open' | 'done' } = { text: '', state: 'none' }

  text(text: string): void {
    if (this.#title.state === 'open') this.#title.text += text
    else if (this.#open.has('pre')) this.#add(text)
    else {
      const spaced = text.replace(/[ \t\n\f\r\u00a0]+/g, ' ')
      this.#add(spaced.startsWith(' ') && /\s/.test(this.#last) ? spaced.slice(1) : spaced)
    }
  }

  open(name: string): void {
    if (name === 'title' && this.#title.state === 'none' && !this.#open.has('svg')) this.#title.state = 'open'
    if (paragraph.has(name) || line.has(name)) this.#count('svg', -Infinity) // browsers end an unclosed drawing here
    this.#count(name, 1)
    this.#break(name)
    if (name === 'li') this.#add('- ')
    if ((name === 'td' || name === 'th') && this.#last !== '\n') this.#add('\t')
    if (/^h[1-6]$/.test(name)) this.#add(`${'#'.repeat(Number(name[1]))} `)
  }

  close(name: string): void {
    if (name === 'title' && this.#title.state === 'open') this.#title.state = 'done'
    if (name !== 'br') this.#break(name)
    this.#count(name, -1)
  }

  /** Joins the texts of a slice. Joining all texts of a page at once can block the process for 60 ms. */
  endSlice(): void {
    if (this.#parts.length > 0) this.#pieces.push({ text: this.#parts.join(''), rank: this.#partsRank })
    this.#parts = []
  }

  async result(signal?: AbortSignal): Promise<PageText> {
    this.endSlice()
    let text = ''
    for (const rank of [2, 1, 0]) {
      text = await tidy(this.#from(rank), signal)
      if (text.length >= minLength) break
    }
    const title = this.#title.text.slice(0, 3000).replace(/\s+/g, ' ').trim().slice(0, 300)
    return title ? { title, text } : { text }
  }

  /** Ends the line or paragraph, unless it is already ended. So empty elements leave no gap. */
  #break(name: string): void {
    const needed = paragraph.has(name) ? 2 : line.has(name) ? 1 : 0
    if (name === 'br' && this.#newlines < 2) this.#add('\n')
    else if (needed > this.#newlines) this.#add('\n'.repeat(needed - this.#newlines))
  }

  #add(text: string): void {
    if (!text || this.#rank < 0) return
    if (this.#rank !== this.#partsRank) this.endSlice()
    this.#partsRank = this.#rank
    this.#parts.push(text)
    this.#newlines = /^\n+$/.test(text) ? this.#newlines + text.length : 0
    this.#last = text.at(-1) ?? this.#last
  }

  #count(name: string, by: number): void {
    if (!hidden.has(name) && !asideTags.has(name) && !mainTags.has(name) && name !== 'pre') return
    const depth = (this.#open.get(name) ?? 0) + by
    if (depth > 0) this.#open.set(name, depth)
    else this.#open.delete(name)
    const within = (names: Set<string>) => [...this.#open.keys()].some(open => names.has(open))
    this.#rank = within(hidden) ? -1 : within(asideTags) ? 0 : within(mainTags) ? 2 : 1
  }

  #from(minRank: number): string {
    const pieces = this.#pieces.filter(piece => piece.rank >= minRank)
    return pieces.map(piece => piece.text).join('')
  }
}

function callbacks(page: Page, html: string) {
  // No tag that we handle has a longer name, so longer ones are not copied.
  const name = (start: number, end: number) => (end - start > 12 ? '' : html.slice(start, end).toLowerCase())
  const nothing = () => {}
  let openTag = ''
  return {
    ontext: (start: number, end: number) => page.text(html.slice(start, end)),
    ontextentity: (codepoint: number) => page.text(String.fromCodePoint(codepoint)),
    onopentagname: (start: number, end: number) => {
      openTag = name(start, end)
      page.open(openTag)
    },
    // Only `svg` can close itself. HTML ignores the slash of all other elements.
    onselfclosingtag: () => {
      if (openTag === 'svg') page.close(openTag)
    },
    onclosetag: (start: number, end: number) => page.close(name(start, end)),
    onopentagend: nothing,
    onattribname: nothing,
    onattribdata: nothing,
    onattribentity: nothing,
    onattribend: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing
  }
}

/**
 * Removes spaces at the ends of lines, and repeated empty lines. It works line by line, because a pattern could
 * backtrack, and in slices, because a page can have a million lines.
 */
async function tidy(text: string, signal?: AbortSignal): Promise<string> {
  const slices: string[] = []
  let last = ''
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start + sliceLength)
    const end = lineEnd === -1 ? text.length : lineEnd
    const lines: string[] = []
    for (const line of text.slice(start, end).split('\n')) {
      const trimmed = line.trimEnd()
      if (trimmed || last) lines.push(trimmed)
      last = trimmed
    }
    if (lines.length > 0) slices.push(lines.join('\n'))
    start = end + 1
    await setImmediate()
    signal?.throwIfAborted()
  }
  return slices.join('\n').trim()
}
