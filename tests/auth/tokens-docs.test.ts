import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

type Server = { tokenFor(userId: string): Promise<{ sessionId: string; token: string }> }
type Page = {
  openSession(
    waystation: string,
    getToken: Server['tokenFor'] extends (id: string) => infer Token ? () => Token : never
  ): Promise<{
    send(text: string): Promise<Response>
    answer(toolCallId: string, answer: object): Promise<Response>
    follow(onEvent: (event: SessionEvent) => void, signal: AbortSignal): Promise<void>
  }>
}

/** Loads the code of docs/embedding.md in the order of the page: shell, server, page. */
async function snippets() {
  const text = await readFile('docs/embedding.md', 'utf8')
  const [shell, server, page, ...rest] = [...text.matchAll(/^```(?:sh|js)\n(.*?)^```$/gms)].map(
    ([, code]) => code!
  )
  expect(rest).toEqual([])
  const folder = await mkdtemp(join(tmpdir(), 'waystation-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const load = async (name: string, code = '') => {
    await writeFile(join(folder, name), code)
    return import(join(folder, name))
  }
  return {
    shell: shell ?? '',
    server: (await load('waystation.mjs', server)) as Server,
    page: (await load('session.mjs', page)) as Page
  }
}

test('the code of docs/embedding.md works unchanged: origins, a token, a message, an answer and an expired token', async () => {
  const testServer = await startTestServer()
  const { shell, server, page } = await snippets()
  const url = await serveApi()
  const owner = await createKey(testServer.ctx, { name: 'owner', role: 'owner' })
  const settings = { WAYSTATION_URL: url, WAYSTATION_KEY: owner.secret, PAGE_ORIGIN: 'https://shop.example' }
  await promisify(execFile)('sh', ['-c', shell], { env: { ...process.env, ...settings } })
  expect((await callEndpoint(workspaceOperations.get)).body.allowedOrigins).toEqual(['https://shop.example'])

  const editor = await createKey(testServer.ctx, { name: 'our server', role: 'editor' })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('WAYSTATION_URL', url)
  vi.stubEnv('WAYSTATION_KEY', editor.secret)
  let tokenRequests = 0
  const session = await page.openSession(url, () => {
    tokenRequests++
    return server.tokenFor('ada')
  })
  const stop = new AbortController()
  const events: SessionEvent[] = []
  const seen = Promise.withResolvers<void>()
  const followed = session.follow(event => {
    events.push(event)
    if (event.type === 'call' && event.call.state === 'open')
      void session.answer(event.call.toolCallId, { output: { answer: 'tea' } }).catch(seen.reject)
    if (event.type === 'status' && event.outcome === 'done' && event.status === 'idle') seen.resolve()
  }, stop.signal)
  await session.send(demo.askToChoose('tea', 'coffee'))
  await seen.promise
  expect(events[0]?.type).toBe('reset')
  expect(events.findLast(event => event.type === 'call')).toMatchObject({
    call: { state: 'answered', output: { answer: 'tea' }, answeredBy: 'ada', via: 'token' }
  })
  stop.abort()
  await followed

  expect(tokenRequests).toBe(1)
  await testServer.sql`update session_tokens set expires_at = clock_timestamp()`
  expect((await session.send('say hello')).status).toBe(202)
  expect(tokenRequests).toBe(2)
})
