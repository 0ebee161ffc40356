import { Fences } from './fences.ts'
import { callTag, openings, resultTag, severalTag } from './tags.ts'

/** What an answer says, in order: words, and calls with their arguments as they are written. */
export type Said = { type: 'text'; text: string } | { type: 'call'; name: string; body: string }

/** A call whose end is awaited; `matched`: how much of it has come. */
type OpenCall = { name: string; opening: string; closing: string; body: string; matched: number }

/** Characters of an opening tag; what is longer is none. */
const longestTag = 300

/**
 * Reads calls out of an answer while it comes, however it is cut into pieces: each character is looked at once, and words
 * are handed on as soon as they cannot begin a tag. In code (`fences.ts`) tags are words; so is a tag without a name, one that
 * stands alone, and one that never closes, with all that follows it. White space beside a call is dropped. Behind a call, a
 * model that makes up results has said its last: what it would do with them is not heard.
 */
export class CallReader {
  #fences = new Fences()
  #said: Said[] = []
  /** White space that is dropped if a call comes next. */
  #space = ''
  /** Nothing was said since the last call. */
  #behindCall = false
  /** The beginning of what may be a tag. */
  #tag = ''
  /** `<parallel_tool_calls>`, which is words unless a call follows; and what stands between them. */
  #several: { written: string; isOpen: boolean } | undefined
  #call: OpenCall | undefined
  #called = false
  #isOver = false

  /** What is sure by now. */
  read(text: string): Said[] {
    for (const char of text) {
      if (this.#isOver) break
      if (this.#call !== undefined) this.#readBody(this.#call, char)
      else if (this.#tag !== '') this.#readTag(char)
      else this.#readWords(char)
    }
    return this.#taken()
  }

  /** The rest, when nothing more comes. */
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
    const behind = name === undefined ? '' : tag.charAt(name.length)
    const isOne =
      name !== undefined &&
      char !== '<' &&
      char !== '\n' &&
      tag.length <= longestTag &&
      /^[\s>]?$/.test(behind)
    if (!isOne) {
      // What did not fit may begin another.
      const words = this.#tag
      this.#tag = ''
      this.#sayWords(words)
      this.#readWords(char)
    } else if (char === '>') {
      this.#tag = ''
      this.#open(tag, name)
    } else this.#tag = tag
  }

  /** A whole tag. */
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

  /** Words that were taken for a tag. */
  #sayWords(words: string): void {
    for (const char of words) this.#fences.pass(char)
    this.#sayHeld(words)
  }

  /** Words, behind an opening of several calls that none followed. */
  #sayHeld(words: string): void {
    if (this.#several !== undefined && !this.#several.isOpen) {
      const { written } = this.#several
      this.#several = undefined
      this.#sayAll(written)
    }
    this.#sayAll(words)
  }

  #sayAll(words: string): void {
    for (const char of words) this.#say(char)
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
    const said = this.#said
    this.#said = []
    return said
  }
}

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r'
