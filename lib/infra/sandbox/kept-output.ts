/** The beginning and the end of a text that comes in pieces: what is between them is counted, and not kept. */
export class KeptOutput {
  readonly #most: number
  readonly #decoder = new TextDecoder()
  #head = ''
  #tail = ''
  #chars = 0

  /** @param most in characters; a third of them is for the end */
  constructor(most: number) {
    this.#most = most
  }

  take(piece: Buffer): void {
    this.#add(this.#decoder.decode(piece, { stream: true }))
  }

  /** All of it, or as much as may be with a note at the place of the rest. */
  end(): { text: string; cut: boolean } {
    this.#add(this.#decoder.decode())
    const left = this.#chars - this.#head.length - this.#tail.length
    if (left <= 0) return { text: this.#head + this.#tail, cut: false }
    const note = `\n[… ${left} characters omitted …]\n`
    return { text: this.#head.toWellFormed() + note + this.#tail.toWellFormed(), cut: true }
  }

  #add(text: string): void {
    const ofEnd = Math.floor(this.#most / 3)
    this.#chars += text.length
    const more = text.slice(0, Math.max(0, this.#most - ofEnd - this.#head.length))
    this.#head += more
    this.#tail = (this.#tail + text.slice(more.length)).slice(-ofEnd)
  }
}
