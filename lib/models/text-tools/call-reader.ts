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
  #said: Said[] = []
  /** White space, dropped if a call follows. */
  #space = ''
  /** True until text follows the last call. */
  #behindCall = false
  /** The start of a possible tag. */
  #tag = ''
  /** `<parallel_tool_calls>` and the white space after it, which are text unless a call follows. */
  #several: { written: string; isOpen: boolean } | undefined
  #call: OpenCall | undefined
  #called = false
  #isOver = false

  /** Reads a piece and returns what is certain so far. */
  read(text: string): Said[] {
    for (const char of text) {
      if (this.#isOver) break
      if (this.#call !== undefined) this.#readBody(this.#call, char)
      else if (this.#tag !== '') this.#readTag(char)
      else this.#readWords(char)
    }
    return this.#taken()
  }

  /** Returns the rest at the end of the answer. */
  end(): Said[] {
    const { opening = '', body = '' } = this.#call ?? {}
    this.#call = undefined
    if (!this.#isOver) this.#sayHeld(opening === '' ? this.#tag : opening + body)
    if (!this.#behindCall) this.#put(this.#space)
    this.#tag = ''
    this.#space = ''
    return this.#taken()
  }

  #readWords(char: string): void {
    if (char === '<' && !this.#fences.isCode) {
      this.#tag = char
      return
    }
    this.#fences.pass(char)
    if (this.#several !== undefined && !this.#several.isOpen) {
      if (isSpace(char)) this.#several.written += char
      else this.#sayHeld(char)
    } else this.#say(char)
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
      this.#sayWords(text)
      this.#readWords(char)
    } else if (char === '>') {
      this.#tag = ''
      this.#open(tag, name)
    } else this.#tag = tag
  }

  /** Handles a complete tag. */
  #open(tag: string, opening: (typeof openings)[number]): void {
    switch (opening) {
      case `<${severalTag}`:
        if (this.#several === undefined) this.#several = { written: tag, isOpen: false }
        else this.#sayWords(tag)
        return
      case `</${severalTag}`:
        if (this.#several?.isOpen) this.#several = undefined
        else this.#sayWords(tag)
        return
      case `<${resultTag}`:
        if (this.#called) this.#isOver = true
        else this.#sayWords(tag)
        return
      default: {
        const name = /\sname\s*=\s*(?:"([^"\s]{1,128})"|'([^'\s]{1,128})')/.exec(tag)?.slice(1).find(Boolean)
        const closing = opening === `<${callTag}` ? `</${callTag}>` : '</function_call>'
        if (name === undefined) this.#sayWords(tag)
        else if (tag.endsWith('/>')) this.#callOf(name, '')
        else this.#call = { name, opening: tag, closing, body: '', matched: 0 }
      }
    }
  }

  #readBody(call: OpenCall, char: string): void {
    call.body += char
    if (char === call.closing[call.matched]) call.matched += 1
    else call.matched = char === '<' ? 1 : 0
    if (call.matched < call.closing.length) return
    this.#callOf(call.name, call.body.slice(0, -call.closing.length))
  }

  #callOf(name: string, body: string): void {
    this.#said.push({ type: 'call', name, body })
    this.#call = undefined
    this.#called = true
    this.#behindCall = true
    this.#space = ''
    if (this.#several !== undefined) this.#several = { written: '', isOpen: true }
  }

  /** Emits text that looked like a tag. */
  #sayWords(text: string): void {
    for (const char of text) this.#fences.pass(char)
    this.#sayHeld(text)
  }

  /** Emits text, after a held `<parallel_tool_calls>` that no call follows. */
  #sayHeld(text: string): void {
    if (this.#several !== undefined && !this.#several.isOpen) {
      const { written } = this.#several
      this.#several = undefined
      this.#sayAll(written)
    }
    this.#sayAll(text)
  }

  #sayAll(text: string): void {
    for (const char of text) this.#say(char)
  }

  #say(char: string): void {
    if (isSpace(char)) {
      this.#space += char
      return
    }
    this.#put(this.#behindCall ? char : this.#space + char)
    this.#space = ''
    this.#behindCall = false
  }

  #put(text: string): void {
    const last = this.#said.at(-1)
    if (text === '') return
    if (last?.type === 'text') last.text += text
    else this.#said.push({ type: 'text', text })
  }

  #taken(): Said[] {
    const items = this.#said
    this.#said = []
    return items
  }
}

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r'
