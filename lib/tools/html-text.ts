import { setImmediate } from 'node:timers/promises'
import { Tokenizer } from 'htmlparser2'

/** What a person would read on a page. `title` is the document's own, at most 300 characters of it. */
export type PageText = { title?: string; text: string }

/** How much is read at a time: a few milliseconds of work, then other sessions have their turn. */
const sliceLength = 64 * 1024

/** With fewer characters than this, what a page marks as its main part is not believed to be it. */
const enough = 200

const words = (list: string) => new Set(list.split(' '))

/** Nothing in these is for reading. */
const silent = words(
  'script style template svg canvas object audio video select datalist textarea iframe noembed noframes'
)
/** Around the content: read only when there is too little else. */
const aside = words('nav aside footer dialog')
const main = words('main article')
const paragraph = words('blockquote dl h1 h2 h3 h4 h5 h6 hr ol p pre section table ul')
const line = words(
  'address article aside body br center dd details div dt fieldset figcaption figure footer form header html li main ' +
    'nav summary tbody tfoot thead tr'
)

/**
 * Reads HTML as plain text: headings with `#`, list items with `-`, table cells a tab apart, paragraphs an empty line
 * apart; the main part where the page marks one, without the menus. It works on the page's tokens and builds no tree:
 * its time grows with the page's length alone, however deep or broken that is (`docs/decisions/`, "Reading web
 * pages"). Rejects with the signal's reason when that is aborted.
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

/** Collects pieces of text, each with the rank of where it stood: 2 the main part, 1 the page, 0 around it. */
class Page {
  #pieces: { text: string; rank: number }[] = []
  /** Texts that are not in `#pieces` yet. They have the same rank. */
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
    if (paragraph.has(name) || line.has(name)) this.#count('svg', -Infinity) // as browsers leave an unclosed drawing
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

  /** Joins the texts of a slice. To join those of a whole page at once can block the process for 60 ms. */
  endSlice(): void {
    if (this.#parts.length > 0) this.#pieces.push({ text: this.#parts.join(''), rank: this.#partsRank })
    this.#parts = []
  }

  async result(signal?: AbortSignal): Promise<PageText> {
    this.endSlice()
    let text = ''
    for (const rank of [2, 1, 0]) {
      text = await tidy(this.#from(rank), signal)
      if (text.length >= enough) break
    }
    const title = this.#title.text.slice(0, 3000).replace(/\s+/g, ' ').trim().slice(0, 300)
    return title ? { title, text } : { text }
  }

  /** Ends the line, or the paragraph, unless that has happened: an empty element leaves no gap. */
  #break(name: string): void {
    const wanted = paragraph.has(name) ? 2 : line.has(name) ? 1 : 0
    if (name === 'br' && this.#newlines < 2) this.#add('\n')
    else if (wanted > this.#newlines) this.#add('\n'.repeat(wanted - this.#newlines))
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
    if (!silent.has(name) && !aside.has(name) && !main.has(name) && name !== 'pre') return
    const depth = (this.#open.get(name) ?? 0) + by
    if (depth > 0) this.#open.set(name, depth)
    else this.#open.delete(name)
    const within = (names: Set<string>) => [...this.#open.keys()].some(open => names.has(open))
    this.#rank = within(silent) ? -1 : within(aside) ? 0 : within(main) ? 2 : 1
  }

  #from(lowest: number): string {
    const kept = this.#pieces.filter(piece => piece.rank >= lowest)
    return kept.map(piece => piece.text).join('')
  }
}

function callbacks(page: Page, html: string) {
  // No tag we know has a longer name; longer ones are not copied.
  const name = (start: number, end: number) => (end - start > 12 ? '' : html.slice(start, end).toLowerCase())
  const nothing = () => {}
  let opened = ''
  return {
    ontext: (start: number, end: number) => page.text(html.slice(start, end)),
    ontextentity: (codepoint: number) => page.text(String.fromCodePoint(codepoint)),
    onopentagname: (start: number, end: number) => {
      opened = name(start, end)
      page.open(opened)
    },
    // Only a drawing can close itself; of all other elements HTML ignores the slash.
    onselfclosingtag: () => {
      if (opened === 'svg') page.close(opened)
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
 * No space at the ends of lines, at most one empty line in a row. It works by lines, since no pattern that backtracks is
 * needed then, and in slices, since a page may be a million lines.
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
