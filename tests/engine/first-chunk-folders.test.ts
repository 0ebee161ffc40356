import { Session } from 'node:inspector/promises'
import { expect, test } from 'vitest'
import { dispatch } from '#lib/api/dispatch.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const key = 'an-admin-key-of-this-test'
const secondMessage = 'Hi again'
/** All code uses these folders, so they say nothing about the path of a message. */
const basics = ['lib/kernel', 'lib/infra']

test('from the request to the first chunk, a message passes only through these folders', async () => {
  const server = await startTestServer({
    // By content, because a step runs again if its worker was late.
    script: ({ body }) =>
      JSON.stringify(body.messages.at(-1)).includes(secondMessage)
        ? replyThenHold('Hello')
        : replyText('Loads what is loaded once.'),
    settings: { WAYSTATION_API_KEY: key }
  })
  const agentId = await server.saveAgent({})
  // Work of the background can run during one of the turns, but not during all of them.
  let folders = await foldersOfSecondTurn(server, agentId)
  for (let n = 0; n < 2; n++) {
    const others = await foldersOfSecondTurn(server, agentId)
    folders = folders.filter(folder => others.includes(folder))
  }
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

/** Returns the folders that run from the second message of a new session to its first chunk. */
async function foldersOfSecondTurn(server: TestServer, agentId: string): Promise<string[]> {
  const session = await server.startSession(agentId)
  await session.runTurn('Hi')
  // The worker's last work on that turn follows its terminal event. Reading the session takes longer.
  await session.get()
  return foldersThatRun(async () => {
    const firstChunk = session.waitForNextEvent(
      event => event.type === 'chunk' && event.chunk.type === 'text-delta'
    )
    const { status } = await dispatch(
      new Request(`${server.env.url}/api/sessions/${session.id}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text: secondMessage })
      })
    )
    expect(status).toBe(202)
    await firstChunk
  })
}

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
