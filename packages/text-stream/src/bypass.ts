/**
 * Tracks text that goes to the reader directly and reaches a slow filter later, in one piece. Text is counted in
 * characters, so the filter's output is shown only beyond what the reader already has. The filter can cut, join or
 * change text, and its output decides the rest.
 */
export class Bypass {
  #sent = 0
  #returned = 0
  #shown = 0
  #backlog = ''

  /** True if the filter has returned everything it received. */
  get isThrough(): boolean {
    return this.#sent === this.#returned
  }

  /** Records text that the reader has, and that the filter must still receive. */
  pass(chunk: string): void {
    this.#shown += chunk.length
    this.#backlog += chunk
  }

  /** Records text that the filter received. */
  give(chunk: string): void {
    this.#sent += chunk.length
  }

  /** Returns the text that the filter must receive now, and records it as received. */
  settle(): string {
    const pending = this.#backlog
    this.#backlog = ''
    this.give(pending)
    return pending
  }

  /** Returns the part of the filter's output that the reader does not have yet. */
  unseen(chunk: string): string {
    const known = Math.max(0, this.#shown - this.#returned)
    this.#returned += chunk.length
    this.#shown = Math.max(this.#shown, this.#returned)
    return chunk.slice(known)
  }
}
