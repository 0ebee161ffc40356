import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parseEgressPolicy } from '#lib/net/egress-policy.ts'
import { safeFetch } from '#lib/net/safe-fetch.ts'
import { serving } from '#tests/support/fakes/net-listen.ts'
import { superviseProbe } from '#tests/support/fakes/plugins/probe.ts'
import { pythonProtos, withPython } from '#tests/support/fakes/plugins/python.ts'

// These tests measure the memory of this whole process. In `npm test` other files use it too.

const MB = 1024 * 1024

/** How much the memory of this process grows during a piece of work, in bytes. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss
  await work()
  return process.memoryUsage().rss - before
}

const bomb = Buffer.alloc(64 * MB)
test.each([
  ['gzip', gzipSync(bomb)],
  ['br', brotliCompressSync(bomb)],
  ['gzip', Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('')))] // unpacks to nothing, for ever
])('a %s bomb is dropped before it unfolds', async (encoding, packed) => {
  await using server = await serving((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding })
    response.write(packed)
    response.end()
  })
  const policy = parseEgressPolicy('127.0.0.1')
  const fetching = () =>
    expect(safeFetch(policy, server.origin, { maxBytes: 1024 })).rejects.toMatchObject({ code: 'TOO_LARGE' })
  expect(await growthOf(fetching)).toBeLessThan(48 * MB)
})

withPython.describe('a plugin in Python', () => {
  test('an answer of 50 MB is not read', async () => {
    const { plugin, comesToBe } = superviseProbe(pythonProtos())
    await comesToBe('serving')
    const asking = () => plugin.calls().executeTool({ name: 'large', args: { bytes: 50_000_000 } })
    expect(await growthOf(asking)).toBeLessThan(150_000_000)
  })

  test('a plugin that floods its log is read no faster than a megabyte a second', async () => {
    const { plugin, comesToBe } = superviseProbe(pythonProtos())
    await comesToBe('serving')
    const calls = plugin.calls()
    const shouted = async () => {
      const outcome = await calls.executeTool({ name: 'shouted', args: {} })
      return outcome.ok ? Number(outcome.result) : 0
    }
    const flooding = async () => {
      await calls.executeTool({ name: 'shout', args: {} })
      await expect.poll(shouted).toBeGreaterThan(6_500_000)
    }
    const since = performance.now()
    expect(await growthOf(flooding)).toBeLessThan(100_000_000)
    // Two streams: two megabytes at once, two more when a second begins, and so on. The first second may have begun before.
    expect(performance.now() - since).toBeGreaterThan(1_000)
  })
})
