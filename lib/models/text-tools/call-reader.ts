import { Fences } from './fences.ts'
import { callTag, openings, resultTag, severalTag } from './tags.ts'

/** A part of an answer: text, or a call with its arguments as written. */
export type Said = { type: 'text'; text: string } | { type: 'call'; name: string; body: string }

/**
 * A call whose end tag is not complete yet. `matched` is the number of characters of the end tag read so far.
 */
type OpenCall = { name: string; opening: string; closing: string; body: string; matched: number }

/** The maximum length of an opening tag, in characters. Anything longer is text. */
const maxTagChars = 300

/**
 * Reads calls from an answer while it streams, independently of how it is cut into pieces. Each character is
 * read once, and text is returned as soon as it cannot be the start of a tag.
 *
 * - A tag in code (`fences.ts`) is text. So is a tag without a name, a tag outside its place, and a call that
 *   never ends, with everything after it.
 * - White space next to a call is dropped.
 * - If a model makes up a result after a call, the rest of its answer is ignored: it is based on that invented
 *   result.
 */
export class CallReader {
  #fences = new Fences()
  #items: Said[] = []
  /** White space, dropped if a call follows. */
  #space = ''
  /** True until text follows the last call. */
  #afterCall = false
  /** The start of a possible tag. */
  #tag = ''
  /** `<parallel_tool_calls>` and the white space after it, which are text unless a call follows. */
  #group: { written: string; isOpen: boolean } | undefined
  #call: OpenCall | undefined
  #hasCalls = false
  #isDone = false

  /** Reads a piece and returns what is certain so far. */
  read(text: string): Said[] {
    for (const char of text) {
      if (this.#isDone) break
      if (this.#call !== undefined) this.#readBody(this.#call, char)
      else if (this.#tag !== '') this.#readTag(char)
      else this.#readText(char)
    }
    return this.#takeItems()
  }

  /** Returns the rest at the end of the answer. */
  end(): Said[] {
    const { opening = '', body = '' } = this.#call ?? {}
    this.#call = undefined
    if (!this.#isDone) this.#emitWithGroup(opening === '' ? this.#tag : opening + body)
    if (!this.#afterCall) this.#append(this.#space)
    this.#tag = ''
    this.#space = ''
    return this.#takeItems()
  }

  #readText(char: string): void {
    if (char === '<' && !this.#fences.isCode) {
      this.#tag = char
      return
    }
    this.#fences.pass(char)
    if (this.#group !== undefined && !this.#group.isOpen) {
      if (isSpace(char)) this.#group.written += char
      else this.#emitWithGroup(char)
    } else this.#emit(char)
  }

  #readTag(char: string): void {
    const tag = this.#tag + char
    const name = openings.find(opening => opening.startsWith(tag) || tag.startsWith(opening))
    const nextChar = name === undefined ? '' : tag.charAt(name.length)
    const mayBeTag =
      name !== undefined &&
      char !== '<' &&
      char !== '\n' &&
      tag.length <= maxTagChars &&
      /^[\s>]?$/.test(nextChar)
    if (!mayBeTag) {
      // The character does not fit, but may start another tag.
      const text = this.#tag
      this.#tag = ''
      this.#emitFailedTag(text)
      this.#readText(char)
    } else if (char === '>') {
      this.#tag = ''
      this.#open(tag, name)
    } else this.#tag = tag
  }

  /** Handles a complete tag. */
  #open(tag: string, opening: (typeof openings)[number]): void {
    switch (opening) {
      case `<${severalTag}`:
        if (this.#group === undefined) this.#group = { written: tag, isOpen: false }
        else this.#emitFailedTag(tag)
        return
      case `</${severalTag}`:
        if (this.#group?.isOpen) this.#group = undefined
        else this.#emitFailedTag(tag)
        return
      case `<${resultTag}`:
        if (this.#hasCalls) this.#isDone = true
        else this.#emitFailedTag(tag)
        return
      default: {
        const name = /\sname\s*=\s*(?:"([^"\s]{1,128})"|'([^'\s]{1,128})')/.exec(tag)?.slice(1).find(Boolean)
        const closing = opening === `<${callTag}` ? `</${callTag}>` : '</function_call>'
        if (name === undefined) this.#emitFailedTag(tag)
        else if (tag.endsWith('/>')) this.#addCall(name, '')
        else this.#call = { name, opening: tag, closing, body: '', matched: 0 }
      }
    }
  }

  #readBody(call: OpenCall, char: string): void {
    call.body += char
    if (char === call.closing[call.matched]) call.matched += 1
    else call.matched = char === '<' ? 1 : 0
    if (call.matched < call.closing.length) return
    this.#addCall(call.name, call.body.slice(0, -call.closing.length))
  }

  #addCall(name: string, body: string): void {
    this.#items.push({ type: 'call', name, body })
    this.#call = undefined
    this.#hasCalls = true
    this.#afterCall = true
    this.#space = ''
    if (this.#group !== undefined) this.#group = { written: '', isOpen: true }
  }

  /** Emits text that looked like a tag. */
  #emitFailedTag(text: string): void {
    for (const char of text) this.#fences.pass(char)
    this.#emitWithGroup(text)
  }

  /** Emits text, after a held `<parallel_tool_calls>` that no call follows. */
  #emitWithGroup(text: string): void {
    if (this.#group !== undefined && !this.#group.isOpen) {
      const { written } = this.#group
      this.#group = undefined
      this.#emitAll(written)
    }
    this.#emitAll(text)
  }

  #emitAll(text: string): void {
    for (const char of text) this.#emit(char)
  }

  #emit(char: string): void {
    if (isSpace(char)) {
      this.#space += char
      return
    }
    this.#append(this.#afterCall ? char : this.#space + char)
    this.#space = ''
    this.#afterCall = false
  }

  #append(text: string): void {
    const last = this.#items.at(-1)
    if (text === '') return
    if (last?.type === 'text') last.text += text
    else this.#items.push({ type: 'text', text })
  }

  #takeItems(): Said[] {
    const items = this.#items
    this.#items = []
    return items
  }
}

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r'
