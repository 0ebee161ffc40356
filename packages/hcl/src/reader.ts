import type { Position } from './hcl-error.ts'

/** An offset in a text that only moves forward, with its line and column. Lengths and offsets are UTF-16 units. */
export class Reader {
  readonly text: string
  at = 0
  #line = 1
  #column = 1

  constructor(text: string) {
    this.text = text
  }

  /** Returns the unit at this distance from the current offset, or undefined after the end. */
  char(distance = 0): string | undefined {
    return this.text[this.at + distance]
  }

  ahead(length: number): string {
    return this.text.slice(this.at, this.at + length)
  }

  /**
   * Returns the distance to the next occurrence of `search`, or undefined if there is none. The search starts `from`
   * units after the current offset.
   */
  distanceTo(search: string, from = 0): number | undefined {
    const found = this.text.indexOf(search, this.at + from)
    return found < 0 ? undefined : found - this.at
  }

  /** Returns the match of a sticky pattern at the current offset. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[0]
  }

  position(): Position {
    return { line: this.#line, column: this.#column }
  }

  move(length: number): void {
    for (const end = this.at + length; this.at < end; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code === 10) {
        this.#line++
        this.#column = 1
      } else if (code < 0xdc00 || code > 0xdfff) this.#column++
    }
  }
}
