import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startExampleServer } from './example-runtime.ts'

const { server, api, create, replies } = startExampleServer()

const unauthenticated = { stdout: expect.stringContaining('UNAUTHENTICATED') }

/**
 * Runs a script to its end and returns its output. If a request fails, the script exits with an error and prints
 * the response.
 */
const sh = async (script: string, args: string[], settings: Record<string, string> = {}) =>
  (await promisify(execFile)('sh', [script, ...args], { env: { ...process.env, ...settings } })).stdout

test("talk.sh creates a session, sends a message, answers the agent's question and reads the result", async () => {
  const { url, apiKey } = server()
  const settings = { WAYSTATION: url, KEY: apiKey, SESSION: 'drink' }
  const printed = (await sh('examples/curl/talk.sh', [], settings)).trim().split('\n')
  expect(printed).toEqual([
    expect.stringContaining('"sessionId":"drink"'),
    expect.stringContaining('"status":"started"'),
    expect.stringContaining('"state":"answered"'),
    expect.stringMatching(/^"text":".*tea/)
  ])
  expect((await replies('drink')).at(-1)).toContain('tea')
  await expect(sh('examples/curl/talk.sh', [], { ...settings, KEY: 'wrong' })).rejects.toMatchObject(
    unauthenticated
  )
})

test('000-15 reply.sh sends a reply to an external session with only the callbackUrl, once per key', async () => {
  await api('POST', '/api/agents', {
    agentId: 'acme',
    displayName: 'Acme',
    type: 'external',
    external: { inputUrl: 'http://localhost:1/' }
  })
  await create('acme', 'order-7')
  const { callbackUrl } = await api<{ callbackUrl: string }>('GET', '/api/sessions/order-7/callback')
  expect(await sh('examples/curl/reply.sh', [callbackUrl])).toContain('"ok":true')
  await sh('examples/curl/reply.sh', [callbackUrl])
  const reply = 'It is **on its way**:\n\n- two crates of lamp oil\n- `wicks`, as last time'
  expect(await replies('order-7')).toEqual([reply])
  await sh('examples/curl/reply.sh', [callbackUrl, 'reply-2'])
  expect(await replies('order-7')).toEqual([reply, reply])
  await expect(sh('examples/curl/reply.sh', [`${callbackUrl}x`])).rejects.toMatchObject(unauthenticated)
})
