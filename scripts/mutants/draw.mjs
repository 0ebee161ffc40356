/** @typedef {import('./find.mjs').Mutant} Mutant */

/**
 * Draws mutants. An area weighs as much as the square root of its mutants, and each kind weighs the same, so that neither
 * the largest area nor the commonest kind fills the draw. The same seed draws the same mutants of the same files. None is
 * drawn twice.
 *
 * @param {Record<string, Mutant[]>} areas
 * @param {number} seed
 * @param {number} count
 * @returns {(Mutant & { area: string })[]}
 */
export function drawMutants(areas, seed, count) {
  const random = randomFrom(seed)
  const pick = (/** @type {any[]} */ list) => list[Math.floor(random() * list.length)]
  const left = Object.entries(areas).map(([area, mutants]) => ({
    area,
    mutants: [...mutants],
    weight: Math.sqrt(mutants.length)
  }))
  /** @type {(Mutant & { area: string })[]} */
  const drawn = []
  while (drawn.length < count) {
    const open = left.filter(({ mutants }) => mutants.length > 0)
    const { area, mutants } = pickByWeight(open, random())
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
  let left = share * list.reduce((sum, { weight }) => sum + weight, 0)
  for (const one of list) {
    left -= one.weight
    if (left < 0) return one
  }
  return /** @type {T} */ (list.at(-1))
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). @param {number} seed */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
