import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startExampleServer } from '#tests/examples/example-runtime.ts'
import { startExample } from '#tests/examples/start-example.ts'

/** Timeout for a busy machine. */
const waitOptions = { timeout: 30_000 }

const { server, api, create, sendMessage, session, replies } = startExampleServer()

const messagesOf = async (sessionId: string) =>
  (await api<{ messages: OutOfBand[] }>('GET', `/api/sessions/${sessionId}/oob`)).messages

/** Creates a session whose agent is busy for some seconds. Returns the settings for the examples. */
async function startBusySession(sessionId: string) {
  await create('guide', sessionId)
  await sendMessage(sessionId, 'count to 40')
  const { url, apiKey } = server()
  return { WAYSTATION: url, KEY: apiKey, SESSION: sessionId }
}

const sh = async (args: string[], settings: Record<string, string>) =>
  promisify(execFile)('sh', ['examples/out-of-band/build.sh', ...args], {
    env: { ...process.env, ...settings }
  }).catch((error: { stdout: string; code: number }) => error)

test('004-2, 004-17: build.sh reports a failed build and the end of its output to a busy agent, once per build', async () => {
  const settings = { ...(await startBusySession('fix-it')), BUILD: 'build-7' }
  const failingBuild = ['sh', '-c', 'printf "one \\"quoted\\" \\\\\\\\ line\\n\\ttwo\\033[31m\\n"; exit 3']
  const { stdout, ...ended } = await sh(failingBuild, settings)
  expect(ended).toMatchObject({ code: 3 })
  expect(stdout).toContain('"status":"visible"')
  await sh(failingBuild, settings)
  const [message, ...others] = await messagesOf('fix-it')
  expect(others).toEqual([])
  expect(message).toMatchObject({
    source: 'external',
    sourceId: 'build',
    priority: 'high',
    metadata: { relatedTo: 'build-7' },
    content: 'build-7 failed with 3. The end of what it printed: one "quoted" \\ line\n\ttwo[31m'
  })
  await expect
    .poll(async () => (await replies('fix-it')).join(' '), waitOptions)
    .toContain('build-7 failed with 3')
  expect((await session('fix-it')).messages).toHaveLength(2)
  await sh(['true'], { ...settings, BUILD: 'build-8' })
  expect((await messagesOf('fix-it'))[0]).toMatchObject({ content: 'build-8 is green.', priority: 'low' })
})

test('004-2, 004-16: watch.mjs reports changed files to a busy agent, with simultaneous changes in one message', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waystation-watched-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = await startBusySession('watched')
  const watcher = await startExample(process.execPath, ['examples/out-of-band/watch.mjs', folder], settings)
  await Promise.all(['a.ts', 'b.ts', 'c.ts'].map(file => writeFile(join(folder, file), 'changed')))
  await expect.poll(() => watcher.lines.at(-1), waitOptions).toContain('a.ts, b.ts, c.ts.')
  expect(await messagesOf('watched')).toHaveLength(1)
  await expect
    .poll(async () => (await replies('watched')).join(' '), waitOptions)
    .toContain('a.ts, b.ts, c.ts.')
  await writeFile(join(folder, 'd.ts'), 'changed')
  await expect.poll(() => watcher.lines.at(-1), waitOptions).toContain('d.ts.')
  expect(await messagesOf('watched')).toHaveLength(2)
})
