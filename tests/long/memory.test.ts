import { brotliCompressSync, gzipSync } from 'node:zlib'
import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { expect, test } from 'vitest'
import { serving } from '#tests/support/fakes/net-listen.ts'
import { superviseProbe } from '#tests/support/fakes/plugins/probe.ts'
import { pythonProtos, withPython } from '#tests/support/fakes/plugins/python.ts'

// These tests measure the memory of the whole process, which `npm test` shares with other files.

const MB = 1024 * 1024

/** Returns how many bytes the memory of this process grows while `work` runs. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss
  await work()
  return process.memoryUsage().rss - before
}

const bomb = Buffer.alloc(64 * MB)
test.each([
  ['gzip', gzipSync(bomb)],
  ['br', brotliCompressSync(bomb)],
  ['gzip', Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('')))] // endless empty members
])('a decompression bomb (%s) is stopped before it expands', async (encoding, packed) => {
  await using server = await serving((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding })
    response.write(packed)
    response.end()
  })
  const policy = parseEgressPolicy('127.0.0.1')
  const fetchBomb = () =>
    expect(safeFetch(policy, server.origin, { maxBytes: 1024 })).rejects.toMatchObject({ code: 'TOO_LARGE' })
  expect(await growthOf(fetchBomb)).toBeLessThan(48 * MB)
})

withPython.describe('a plugin in Python', () => {
  test('a response of 50 MB is not read', async () => {
    const { plugin, waitForState } = superviseProbe(pythonProtos())
    await waitForState('serving')
    const askLarge = () => plugin.calls().executeTool({ name: 'large', args: { bytes: 50_000_000 } })
    expect(await growthOf(askLarge)).toBeLessThan(150_000_000)
  })

  test('a plugin that floods its log is read at one megabyte a second at most', async () => {
    const { plugin, waitForState } = superviseProbe(pythonProtos())
    await waitForState('serving')
    const calls = plugin.calls()
    const bytesLogged = async () => {
      const outcome = await calls.executeTool({ name: 'shouted', args: {} })
      return outcome.ok ? Number(outcome.result) : 0
    }
    const flood = async () => {
      await calls.executeTool({ name: 'shout', args: {} })
      await expect.poll(bytesLogged).toBeGreaterThan(6_500_000)
    }
    const since = performance.now()
    expect(await growthOf(flood)).toBeLessThan(100_000_000)
    // There are two streams, so two megabytes per second can be read. The first second can have started earlier.
    expect(performance.now() - since).toBeGreaterThan(1_000)
  })
})
