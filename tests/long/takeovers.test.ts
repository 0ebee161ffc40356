import { expect, test } from 'vitest'
import { holds, says } from '#tests/support/fakes/openai-replies.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'

/** Returns how long `work` takes, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

test('a cancel stops a streaming turn within a second', async () => {
  const world = await testWorld({ script: [holds('One two three')] })
  const session = await world.session()
  await session.send('count')
  await session.reads('three')
  const cancelAndWait = async () => {
    await session.cancel()
    await session.ends()
  }
  expect(await timeOf(cancelAndWait)).toBeLessThan(1_000)
})

test('a worker that stops hands off its turns, and the next worker repeats the model call within 3 s', async () => {
  const world = await testWorld({
    script: [holds('Half a'), says('All of it.')],
    settings: { WAYSTATION_ROLE: 'worker' }
  })
  const session = await world.session()
  await session.send('hello')
  await session.reads('Half a')
  await world.second()
  const handOff = async () => {
    await world.leave()
    await world.model.request(1)
  }
  expect(await timeOf(handOff)).toBeLessThan(3_000)
})
