/** @typedef {import('./find.mjs').Mutant} Mutant */

/**
 * Draws mutants at random, without repeats. The weight of an area is the square root of its number of mutants, and
 * all kinds have the same weight. This way neither the largest area nor the most common kind dominates. The same
 * seed draws the same mutants from the same files.
 *
 * @param {Record<string, Mutant[]>} areas
 * @param {number} seed
 * @param {number} count
 * @returns {(Mutant & { area: string })[]}
 */
export function drawMutants(areas, seed, count) {
  const random = randomFrom(seed)
  const pick = (/** @type {any[]} */ list) => list[Math.floor(random() * list.length)]
  const pools = Object.entries(areas).map(([area, mutants]) => ({
    area,
    mutants: [...mutants],
    weight: Math.sqrt(mutants.length)
  }))
  /** @type {(Mutant & { area: string })[]} */
  const drawn = []
  while (drawn.length < count) {
    const available = pools.filter(({ mutants }) => mutants.length > 0)
    const { area, mutants } = pickByWeight(available, random())
    const kind = pick([...new Set(mutants.map(mutant => mutant.kind))].sort())
    const mutant = pick(mutants.filter(mutant => mutant.kind === kind))
    mutants.splice(mutants.indexOf(mutant), 1)
    drawn.push({ ...mutant, area })
  }
  return drawn
}

/**
 * @template {{ weight: number }} T
 * @param {T[]} list not empty
 * @param {number} share from 0 to 1
 */
function pickByWeight(list, share) {
  let remaining = share * list.reduce((sum, { weight }) => sum + weight, 0)
  for (const item of list) {
    remaining -= item.weight
    if (remaining < 0) return item
  }
  return /** @type {T} */ (list.at(-1))
}

/** Returns a generator of numbers from 0 to 1 that depend only on the seed (mulberry32). @param {number} seed */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
