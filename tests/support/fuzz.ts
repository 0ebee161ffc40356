import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { longestStretchOf } from '#tests/support/cpu-time.ts'

/** How long each fuzzer runs, in milliseconds. `FUZZ_MINUTES` is 1 by default; set it to 10 before a release. */
const fuzzMs = Number(process.env.FUZZ_MINUTES ?? 1) * 60_000

/** The time limit of a test that fuzzes, in milliseconds. */
export const fuzzTimeout = 2 * fuzzMs + 120_000

const mostGrowth = 64 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is still in use after a collection, in bytes. */
function inUse(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Gives random inputs to `use` until the time is over. It fails for an input that `use` throws on, for one that twice holds
 * the event loop for more than `mostMs` of CPU time without a pause, and when the memory in use grew by more than 64 MiB
 * after the first quarter of the time. fast-check reports the input, made as small as possible, with a seed that repeats it.
 */
export async function fuzz<Input>(
  inputs: fc.Arbitrary<Input>,
  use: (input: Input) => unknown,
  { mostMs = 50 } = {}
): Promise<void> {
  const one = fc.asyncProperty(inputs, async input => {
    const stretch = await longestStretchOf(() => use(input))
    if (stretch <= mostMs) return
    // The first time may have compiled code or collected garbage.
    const again = await longestStretchOf(() => use(input))
    if (again > mostMs) throw new Error(`It held the event loop for ${Math.round(again)} ms of CPU time.`)
  })
  const run = (ms: number) =>
    fc.assert(one, { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: ms })
  await run(fuzzMs / 4)
  const before = inUse()
  await run((3 * fuzzMs) / 4)
  const growth = inUse() - before
  if (growth > mostGrowth) throw new Error(`The memory in use grew by ${Math.round(growth / 1024)} KiB.`)
}

/** Any text, also with lone surrogates and control characters. */
export const anyText = (maxLength = 40) => fc.string({ unit: 'binary', maxLength })

/** A text with a few of its letters dropped, doubled or replaced. */
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
        const place = Math.floor(at * text.length)
        return text.slice(0, place) + put.repeat(times) + text.slice(place + drop)
      }, text)
    )
