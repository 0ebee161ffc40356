/** A run of backticks or tildes. */
type Marks = { mark: string; length: number }

/**
 * Tracks, character by character, whether a text is inside code. A fence (CommonMark 4.5) is a line that starts
 * with three or more backticks or tildes. It can be indented or quoted, and ends at a similar line or at the
 * end of the text. Inline code is between equal runs of backticks, or after a run until the end of the line.
 */
export class Fences {
  #open: Marks | undefined
  /** The marks at the start of the line, while it can still be a fence. */
  #line: (Marks & { isWhole: boolean }) | undefined
  #isLineBegun = false
  /** The backticks just read (`#ticks`), and the run that started inline code in this line (`#span`). */
  #ticks = 0
  #span = 0

  /** True inside code and inside a possible fence. */
  get isCode(): boolean {
    return this.#open !== undefined || this.#isFence || this.#spanNow() > 0
  }

  get #isFence(): boolean {
    return this.#line !== undefined && this.#line.length >= 3
  }

  /** Reads the next character. */
  pass(char: string): void {
    if (char === '\n') this.#endLine()
    else {
      this.#passCode(char)
      this.#passFence(char)
    }
  }

  #passFence(char: string): void {
    const line = this.#line
    if (line === undefined) {
      if (this.#isLineBegun || char === ' ' || char === '\t' || char === '>') return
      this.#isLineBegun = true
      if (char === '`' || char === '~') this.#line = { mark: char, length: 1, isWhole: false }
    } else if (char === line.mark && !line.isWhole) line.length += 1
    else if (line.length < 3 || char === '`') this.#line = undefined
    // A closing fence has no text after its marks.
    else if (this.#open !== undefined && char !== ' ' && char !== '\t' && char !== '\r')
      this.#line = undefined
    else line.isWhole = true
  }

  #passCode(char: string): void {
    if (char === '`') this.#ticks += 1
    else {
      this.#span = this.#spanNow()
      this.#ticks = 0
    }
  }

  #spanNow(): number {
    if (this.#ticks === 0) return this.#span
    if (this.#span === 0) return this.#ticks
    return this.#span === this.#ticks ? 0 : this.#span
  }

  #endLine(): void {
    const line = this.#line
    if (line !== undefined && this.#isFence) {
      if (this.#open === undefined) this.#open = line
      else if (line.mark === this.#open.mark && line.length >= this.#open.length) this.#open = undefined
    }
    this.#line = undefined
    this.#isLineBegun = false
    this.#ticks = 0
    this.#span = 0
  }
}
