import { Fences } from './fences.ts'
import { callTag, openings, parallelTag, resultTag } from './tags.ts'

/** A part of an answer: text, or a call with its arguments as written. */
export type AnswerPart = { type: 'text'; text: string } | { type: 'call'; name: string; body: string }

/**
 * A call whose end tag is not complete yet. `matched` is the number of characters of the end tag read so far.
 */
type OpenCall = { name: string; opening: string; closing: string; body: string; matched: number }

/** The maximum length of an opening tag, in characters. Anything longer is text. */
const tagMaxLength = 300

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
  #ready: AnswerPart[] = []
  /** White space, dropped if a call follows. */
  #space = ''
  /** True until text follows the last call. */
  #followsCall = false
  /** The start of a possible tag. */
  #tag = ''
  /** `<parallel_tool_calls>` and the white space after it, which are text unless a call follows. */
  #wrapper: { written: string; isOpen: boolean } | undefined
  #call: OpenCall | undefined
  #anyCall = false
  #isDone = false

  /** Reads a piece and returns what is certain so far. */
  read(text: string): AnswerPart[] {
    for (const char of text) {
      if (this.#isDone) break
      if (this.#call !== undefined) this.#readBody(this.#call, char)
      else if (this.#tag !== '') this.#readTag(char)
      else this.#readOutside(char)
    }
    return this.#flush()
  }

  /** Returns the rest at the end of the answer. */
  end(): AnswerPart[] {
    const { opening = '', body = '' } = this.#call ?? {}
    this.#call = undefined
    if (!this.#isDone) this.#sayHeld(opening === '' ? this.#tag : opening + body)
    if (!this.#followsCall) this.#append(this.#space)
    this.#tag = ''
    this.#space = ''
    return this.#flush()
  }

  #readOutside(char: string): void {
    if (char === '<' && !this.#fences.isCode) {
      this.#tag = char
      return
    }
    this.#fences.pass(char)
    if (this.#wrapper !== undefined && !this.#wrapper.isOpen) {
      if (isSpace(char)) this.#wrapper.written += char
      else this.#sayHeld(char)
    } else this.#addChar(char)
  }

  #readTag(char: string): void {
    const tag = this.#tag + char
    const name = openings.find(opening => opening.startsWith(tag) || tag.startsWith(opening))
    const boundary = name === undefined ? '' : tag.charAt(name.length)
    const fits =
      name !== undefined &&
      char !== '<' &&
      char !== '\n' &&
      tag.length <= tagMaxLength &&
      /^[\s>]?$/.test(boundary)
    if (!fits) {
      // The character does not fit, but may start another tag.
      const text = this.#tag
      this.#tag = ''
      this.#sayWords(text)
      this.#readOutside(char)
    } else if (char === '>') {
      this.#tag = ''
      this.#open(tag, name)
    } else this.#tag = tag
  }

  /** Handles a complete tag. */
  #open(tag: string, opening: (typeof openings)[number]): void {
    switch (opening) {
      case `<${parallelTag}`:
        if (this.#wrapper === undefined) this.#wrapper = { written: tag, isOpen: false }
        else this.#sayWords(tag)
        return
      case `</${parallelTag}`:
        if (this.#wrapper?.isOpen) this.#wrapper = undefined
        else this.#sayWords(tag)
        return
      case `<${resultTag}`:
        if (this.#anyCall) this.#isDone = true
        else this.#sayWords(tag)
        return
      default: {
        const name = /\sname\s*=\s*(?:"([^"\s]{1,128})"|'([^'\s]{1,128})')/.exec(tag)?.slice(1).find(Boolean)
        const closing = opening === `<${callTag}` ? `</${callTag}>` : '</function_call>'
        if (name === undefined) this.#sayWords(tag)
        else if (tag.endsWith('/>')) this.#closeCall(name, '')
        else this.#call = { name, opening: tag, closing, body: '', matched: 0 }
      }
    }
  }

  #readBody(call: OpenCall, char: string): void {
    call.body += char
    if (char === call.closing[call.matched]) call.matched += 1
    else call.matched = char === '<' ? 1 : 0
    if (call.matched < call.closing.length) return
    this.#closeCall(call.name, call.body.slice(0, -call.closing.length))
  }

  #closeCall(name: string, body: string): void {
    this.#ready.push({ type: 'call', name, body })
    this.#call = undefined
    this.#anyCall = true
    this.#followsCall = true
    this.#space = ''
    if (this.#wrapper !== undefined) this.#wrapper = { written: '', isOpen: true }
  }

  /** Emits text that looked like a tag. */
  #sayWords(text: string): void {
    for (const char of text) this.#fences.pass(char)
    this.#sayHeld(text)
  }

  /** Emits text, after a held `<parallel_tool_calls>` that no call follows. */
  #sayHeld(text: string): void {
    if (this.#wrapper !== undefined && !this.#wrapper.isOpen) {
      const { written } = this.#wrapper
      this.#wrapper = undefined
      this.#writeString(written)
    }
    this.#writeString(text)
  }

  #writeString(text: string): void {
    for (const char of text) this.#addChar(char)
  }

  #addChar(char: string): void {
    if (isSpace(char)) {
      this.#space += char
      return
    }
    this.#append(this.#followsCall ? char : this.#space + char)
    this.#space = ''
    this.#followsCall = false
  }

  #append(text: string): void {
    const last = this.#ready.at(-1)
    if (text === '') return
    if (last?.type === 'text') last.text += text
    else this.#ready.push({ type: 'text', text })
  }

  #flush(): AnswerPart[] {
    const items = this.#ready
    this.#ready = []
    return items
  }
}

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r'
