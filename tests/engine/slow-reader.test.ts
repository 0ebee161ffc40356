import { expect, test } from 'vitest'
import { slowReaders, stuckAt } from '#tests/support/fakes/slow-readers.ts'

test('a client that does not read is dropped with a retry hint, resumes later, and does not delay others', async () => {
  const last = stuckAt + 3_000
  const { slow, quick, read, readers, connections, write, again } = await slowReaders(last)
  // More events than a reader can have waiting in memory.
  await write(3_000, 'x')
  await read
  const sequence = Array.from({ length: last }, (_, n) => n + 1)
  expect(quick.seen).toEqual(sequence)

  // The three readers that do not read, and the quick one, which has left.
  await expect.poll(() => readers.ended, { timeout: 60_000 }).toBe(4)
  await expect.poll(() => connections.size, { timeout: 60_000 }).toBe(0)
  for (const reader of slow) {
    // It reads the events in transit and then sees that the connection was closed.
    await reader.read()
    expect(reader.retries).toEqual([1000])
    expect(reader.seen.length).toBeLessThan(stuckAt)
    const resumed = await again(reader.seen.at(-1) ?? 0)
    await resumed.read(last)
    expect([...reader.seen, ...resumed.seen]).toEqual(sequence)
  }
}, 300_000)
