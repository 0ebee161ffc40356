import type { Position } from './hcl-error.ts'

/** A place in a text that only moves on, and counts lines and columns as it does. */
export class Reader {
  readonly text: string
  at = 0
  #line = 1
  #column = 1

  constructor(text: string) {
    this.text = text
  }

  /** The UTF-16 unit here, or so many further on; undefined at the end. */
  char(further = 0): string | undefined {
    return this.text[this.at + further]
  }

  ahead(length: number): string {
    return this.text.slice(this.at, this.at + length)
  }

  /** How far it is to the next `word`, which may begin so many units on; undefined where there is none. */
  distanceTo(word: string, further = 0): number | undefined {
    const found = this.text.indexOf(word, this.at + further)
    return found < 0 ? undefined : found - this.at
  }

  /** What a sticky pattern finds here. */
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
