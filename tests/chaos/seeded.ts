/** Pseudorandom numbers that are the same for the same seed and name. */
export type Random = {
  /** Returns a number from 0 to 1, without 1. */
  next(): number
  /** Returns an integer from 0 to `n`, without `n`. */
  below(n: number): number
  /** Returns true with this probability: 0 (never) to 1 (always). */
  chance(share: number): boolean
  /** Returns one of the items, with a probability in proportion to its weight. */
  weighed<T>(from: readonly T[], weightOf: (one: T) => number): T
}

/**
 * Returns an independent stream of numbers for each `name`, so that the order of use in other streams has no effect.
 * It is SplitMix32, seeded from both by FNV-1a. It is not cryptographically secure.
 */
export function seeded(seed: number, name: string): Random {
  let state = 0x811c9dc5
  for (const unit of Buffer.from(`${seed}/${name}`)) state = Math.imul(state ^ unit, 0x01000193)
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    next,
    below,
    chance: share => next() < share,
    weighed<T>(from: readonly T[], weightOf: (item: T) => number): T {
      let remaining = next() * from.reduce((sum, item) => sum + weightOf(item), 0)
      for (const item of from) {
        remaining -= weightOf(item)
        if (remaining < 0) return item
      }
      throw new Error('There is nothing to draw from.')
    }
  }
}
