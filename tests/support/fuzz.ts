import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { longestStretchOf } from '#tests/support/cpu-time.ts'

/** How long each fuzzer runs, in milliseconds. `FUZZ_MINUTES` is 1 by default. Set it to 10 before a release. */
const fuzzMs = Number(process.env.FUZZ_MINUTES ?? 1) * 60_000

/** The time limit of a fuzzing test, in milliseconds. */
export const fuzzTimeout = 2 * fuzzMs + 120_000

const maxGrowthBytes = 64 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns the memory in use after a garbage collection, in bytes. */
function inUse(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Passes random inputs to `use` until the time is over. It fails in three cases:
 *
 * - `use` throws;
 * - an input blocks the event loop twice for more than `mostMs` of CPU time;
 * - the memory in use grows by more than 64 MiB after the first quarter of the time.
 *
 * fast-check reports the input, as small as possible, with a seed that reproduces it.
 */
export async function fuzz<Input>(
  inputs: fc.Arbitrary<Input>,
  use: (input: Input) => unknown,
  { mostMs = 50 } = {}
): Promise<void> {
  const property = fc.asyncProperty(inputs, async input => {
    const stretch = await longestStretchOf(() => use(input))
    if (stretch <= mostMs) return
    // The first run can include compilation or a garbage collection.
    const again = await longestStretchOf(() => use(input))
    if (again > mostMs) throw new Error(`It held the event loop for ${Math.round(again)} ms of CPU time.`)
  })
  const run = (ms: number) =>
    fc.assert(property, { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: ms })
  await run(fuzzMs / 4)
  const before = inUse()
  await run((3 * fuzzMs) / 4)
  const growth = inUse() - before
  if (growth > maxGrowthBytes) throw new Error(`The memory in use grew by ${Math.round(growth / 1024)} KiB.`)
}

/** Generates any text, including lone surrogates and control characters. */
export const anyText = (maxLength = 40) => fc.string({ unit: 'binary', maxLength })

/** Generates a text in which a few parts are dropped, repeated or replaced. */
export const mutated = (texts: fc.Arbitrary<string>, pieces: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      fc.array(
        fc.record({
          at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
          drop: fc.nat(4),
          put: fc.oneof(fc.constantFrom(...pieces), anyText(4)),
          times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.constantFrom(10, 1_000))
        }),
        { maxLength: 4 }
      )
    )
    .map(([text, changes]) =>
      changes.reduce((text, { at, drop, put, times }) => {
        const position = Math.floor(at * text.length)
        return text.slice(0, position) + put.repeat(times) + text.slice(position + drop)
      }, text)
    )
