/** How many of the last calls are looked at. */
const kept = 500

/** How long the last calls of a kind took, in milliseconds, and how often they failed since the start. */
export class Timings {
  readonly #last: number[] = []
  #calls = 0
  #failed = 0

  async of<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    this.#calls += 1
    try {
      return await work()
    } catch (error) {
      this.#failed += 1
      throw error
    } finally {
      this.#last.push(performance.now() - began)
      if (this.#last.length > kept) this.#last.shift()
    }
  }

  get figures(): { calls: number; failed: number; p50Ms: number; p95Ms: number } {
    const sorted = this.#last.toSorted((a, b) => a - b)
    const at = (part: number) =>
      Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10
    return { calls: this.#calls, failed: this.#failed, p50Ms: at(0.5), p95Ms: at(0.95) }
  }
}
