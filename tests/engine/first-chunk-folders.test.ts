import { Session } from 'node:inspector/promises'
import { expect, test } from 'vitest'
import { dispatch } from '#lib/api/dispatch.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const key = 'an-admin-key-of-this-test'
/** All code uses these folders, so they say nothing about the path of a message. */
const basics = ['lib/kernel', 'lib/infra']

test('from the request to the first chunk, a message passes only through these folders', async () => {
  const server = await startTestServer({
    script: [replyText('The first turn loads what is loaded once.'), replyThenHold('Hello')],
    settings: { WAYSTATION_API_KEY: key }
  })
  const session = await server.startSession(await server.saveAgent({}))
  await session.runTurn('Hi')
  // The worker's last work on that turn follows its terminal event. Reading the session takes longer.
  await session.get()
  const folders = await foldersThatRun(async () => {
    const firstChunk = session.waitForNextEvent(
      event => event.type === 'chunk' && event.chunk.type === 'text-delta'
    )
    const { status } = await dispatch(
      new Request(`${server.env.url}/api/sessions/${session.id}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Hi again' })
      })
    )
    expect(status).toBe(202)
    await firstChunk
  })
  expect(folders.filter(folder => !basics.includes(folder))).toEqual([
    'lib/auth',
    'lib/compose',
    'lib/engine/context',
    'lib/engine/inbox',
    'lib/engine/log',
    'lib/engine/turn',
    'lib/engine/worker',
    'lib/http',
    'lib/models',
    'lib/sessions'
  ])
})

/** Returns the folders of lib of which a function runs meanwhile. Each part of `engine` and `features` is one. */
async function foldersThatRun(work: () => Promise<void>): Promise<string[]> {
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await inspector.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  inspector.disconnect()
  const folders = result.flatMap(({ url, functions }) => {
    const [, path] = /\/(lib\/[^?]*)$/.exec(url) ?? []
    // A module itself is a function without a name.
    const isUsed = functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0)
    if (path === undefined || url.includes('node_modules') || !isUsed) return []
    const parts = path.split('/').slice(0, -1)
    return [parts.slice(0, ['engine', 'features'].includes(parts[1] ?? '') ? 3 : 2).join('/')]
  })
  return [...new Set(folders)].sort()
}
