import { expect, test } from 'vitest'
import { slowReaders, stuckAt } from '#tests/support/fakes/slow-readers.ts'

test('a client that does not read is dropped with a retry hint, reads on later, and does not hold up others', async () => {
  const last = stuckAt + 3_000
  const { slow, quick, read, readers, connections, write, again } = await slowReaders(last)
  // More than a reader may have waiting in memory.
  await write(3_000, 'x')
  await read
  const all = Array.from({ length: last }, (_, n) => n + 1)
  expect(quick.seen).toEqual(all)

  // The three that do not read, and the quick one, which has left.
  await expect.poll(() => readers.ended, { timeout: 60_000 }).toBe(4)
  await expect.poll(() => connections.size, { timeout: 60_000 }).toBe(0)
  for (const reader of slow) {
    // It reads what was on its way, and that the connection was cut.
    await reader.read()
    expect(reader.retries).toEqual([1000])
    expect(reader.seen.length).toBeLessThan(stuckAt)
    const later = await again(reader.seen.at(-1) ?? 0)
    await later.read(last)
    expect([...reader.seen, ...later.seen]).toEqual(all)
  }
}, 300_000)
