import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { slowReaders, stuckAt } from '#tests/support/fakes/slow-readers.ts'

const MB = 1024 * 1024
const missed = 18_000

/** Returns the memory of this process after garbage collection, in bytes. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('memory does not grow with the events that slow clients have not read', async () => {
  const { read, waitUntilRead, write } = await slowReaders(stuckAt + 3_000 + missed)
  // The buffers of the readers are full.
  const text = 'x'.repeat(8_000)
  await write(3_000, text)
  await waitUntilRead(stuckAt + 3_000)
  const before = usedMemory()
  await write(missed, text)
  await read
  // One shared copy of the events would take 144 MB.
  expect(usedMemory() - before).toBeLessThan(48 * MB)
}, 300_000)
