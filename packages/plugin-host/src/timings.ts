/** The number of recent calls that the figures cover. */
const maxRecent = 500

/**
 * Measures calls: the duration of the most recent ones, in milliseconds, and the number of failures since the
 * start.
 */
export class Timings {
  readonly #last: number[] = []
  #calls = 0
  #failed = 0

  /** Runs `work` and records its duration and whether it failed. */
  async of<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    this.#calls += 1
    try {
      return await work()
    } catch (error) {
      this.#failed += 1
      throw error
    } finally {
      this.#last.push(performance.now() - startedAt)
      if (this.#last.length > maxRecent) this.#last.shift()
    }
  }

  /** The counts, and the percentiles in milliseconds rounded to 0.1. */
  get figures(): { calls: number; failed: number; p50Ms: number; p95Ms: number } {
    const sorted = this.#last.toSorted((a, b) => a - b)
    const at = (quantile: number) =>
      Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0) * 10) / 10
    return { calls: this.#calls, failed: this.#failed, p50Ms: at(0.5), p95Ms: at(0.95) }
  }
}
