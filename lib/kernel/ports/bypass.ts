/**
 * Words that go past a slow way, which is given them later, in one piece. Counted in characters, so that what comes back
 * from it is told only as far as it was not told already: whatever the way cuts, joins or changes, it decides what is left.
 */
export class Bypass {
  #given = 0
  #back = 0
  #told = 0
  #owed = ''

  /** All that the way was given has come back. */
  get isThrough(): boolean {
    return this.#given === this.#back
  }

  /** The reader is told these words; the way is owed them. */
  pass(words: string): void {
    this.#told += words.length
    this.#owed += words
  }

  /** The way is given these. */
  give(words: string): void {
    this.#given += words.length
  }

  /** What the way is owed, to be given now. */
  settle(): string {
    const owed = this.#owed
    this.#owed = ''
    this.give(owed)
    return owed
  }

  /** What has not been told yet of words that came back. */
  news(words: string): string {
    const known = Math.max(0, this.#told - this.#back)
    this.#back += words.length
    this.#told = Math.max(this.#told, this.#back)
    return words.slice(known)
  }
}
