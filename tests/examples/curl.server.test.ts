import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { exampleHouse } from './example-house.ts'

const { server, api, create, replies } = exampleHouse()

const refused = { stdout: expect.stringContaining('UNAUTHENTICATED') }

/** Runs a script to its end and gives what it printed; a refused request ends it with an error that says so. */
const sh = async (script: string, args: string[], settings: Record<string, string> = {}) =>
  (await promisify(execFile)('sh', [script, ...args], { env: { ...process.env, ...settings } })).stdout

test('talk.sh creates a session, asks for something, answers the question that comes of it and reads the end', async () => {
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
  await expect(sh('examples/curl/talk.sh', [], { ...settings, KEY: 'wrong' })).rejects.toMatchObject(refused)
})

test('000-15 reply.sh says something in an external session by its callbackUrl alone, once per key', async () => {
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
  const words = 'It is **on its way**:\n\n- two crates of lamp oil\n- `wicks`, as last time'
  expect(await replies('order-7')).toEqual([words])
  await sh('examples/curl/reply.sh', [callbackUrl, 'reply-2'])
  expect(await replies('order-7')).toEqual([words, words])
  await expect(sh('examples/curl/reply.sh', [`${callbackUrl}x`])).rejects.toMatchObject(refused)
})
