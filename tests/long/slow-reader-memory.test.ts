import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { slowReaders, stuckAt } from '#tests/support/fakes/slow-readers.ts'

const MB = 1024 * 1024
const missed = 18_000

/** What this process holds once its garbage is gone, in bytes. */
function held(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('memory does not grow with what clients miss that do not read', async () => {
  const { read, reaches, write } = await slowReaders(stuckAt + 3_000 + missed)
  // What a reader may have waiting in memory is used up.
  const words = 'x'.repeat(8_000)
  await write(3_000, words)
  await reaches(stuckAt + 3_000)
  const before = held()
  await write(missed, words)
  await read
  // The server would hold 144 MB if it kept one copy for all of them.
  expect(held() - before).toBeLessThan(48 * MB)
}, 300_000)
