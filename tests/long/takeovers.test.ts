import { expect, test } from 'vitest'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns how long `work` takes, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

test('a cancel stops a streaming turn within a second', async () => {
  const server = await startTestServer({ script: [replyThenHold('One two three')] })
  const session = await server.startSession()
  await session.send('count')
  await session.waitForText('three')
  const cancelAndWait = async () => {
    await session.cancel()
    await session.waitForEnd()
  }
  expect(await timeOf(cancelAndWait)).toBeLessThan(1_000)
})

test('a worker that stops hands off its turns, and the next worker repeats the model call within 3 s', async () => {
  const server = await startTestServer({
    script: [replyThenHold('Half a'), replyText('All of it.')],
    settings: { WAYSTATION_ROLE: 'worker' }
  })
  const session = await server.startSession()
  await session.send('hello')
  await session.waitForText('Half a')
  await server.startSecondServer()
  const handOff = async () => {
    await server.stopServer()
    await server.model.request(1)
  }
  expect(await timeOf(handOff)).toBeLessThan(3_000)
})
