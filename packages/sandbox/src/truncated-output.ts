/**
 * Stores the start and the end of an output that arrives in pieces. The characters in between are only counted.
 */
export class TruncatedOutput {
  readonly #maxLength: number
  readonly #decoder = new TextDecoder()
  #head = ''
  #tail = ''
  #chars = 0

  /** @param maxChars the maximum length in characters, a third of which is for the end */
  constructor(maxChars: number) {
    this.#maxLength = maxChars
  }

  /** Adds a piece of UTF-8. A character can be split between pieces. */
  take(bytes: Buffer): void {
    this.#add(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Returns the whole text, or its start and end with a note about the omitted characters. */
  end(): { text: string; cut: boolean } {
    this.#add(this.#decoder.decode())
    const omitted = this.#chars - this.#head.length - this.#tail.length
    if (omitted <= 0) return { text: this.#head + this.#tail, cut: false }
    const note = `\n[… ${omitted} characters omitted …]\n`
    return { text: this.#head.toWellFormed() + note + this.#tail.toWellFormed(), cut: true }
  }

  #add(text: string): void {
    const tailChars = Math.floor(this.#maxLength / 3)
    this.#chars += text.length
    const forHead = text.slice(0, Math.max(0, this.#maxLength - tailChars - this.#head.length))
    this.#head += forHead
    this.#tail = (this.#tail + text.slice(forHead.length)).slice(-tailChars)
  }
}
