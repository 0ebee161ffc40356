/** Numbers that look random and come out the same for the same seed and name. */
export type Random = {
  /** At least 0, below 1. */
  next(): number
  /** A whole number: at least 0, below `n`. */
  below(n: number): number
  /** True so often, from 0 (never) to 1 (always). */
  chance(share: number): boolean
  /** One of them, each as often as it weighs. */
  weighed<T>(from: readonly T[], weightOf: (one: T) => number): T
}

/**
 * One stream of numbers for each `name`, so that who asks for how many does not depend on who else asks. SplitMix32, on
 * a start made of both by FNV-1a: enough for choosing, not for secrets.
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
    weighed<T>(from: readonly T[], weightOf: (one: T) => number): T {
      let left = next() * from.reduce((sum, one) => sum + weightOf(one), 0)
      for (const one of from) {
        left -= weightOf(one)
        if (left < 0) return one
      }
      throw new Error('There is nothing to draw from.')
    }
  }
}
