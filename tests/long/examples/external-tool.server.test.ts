import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startExampleServer } from '#tests/examples/example-runtime.ts'
import { startExample } from '#tests/examples/start-example.ts'

/** Timeout for a busy machine. */
const waitOptions = { timeout: 30_000 }

const { api, create, sendMessage, session, replies } = startExampleServer()

/** An agent with the external tool at this URL. */
const agentWith = (url: string) => ({
  agentId: 'office',
  displayName: 'Office',
  chat: {
    tools: [
      {
        name: 'order',
        where: 'external',
        description: 'Orders from the store.',
        inputSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
        outputSchema: { type: 'object', properties: { eta: { type: 'string' } }, required: ['eta'] },
        url
      }
    ]
  }
})

test('the external tool keeps its calls across a restart, sends the answers of its user, and shows rejected ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waystation-example-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await api('POST', '/api/agents', agentWith('http://localhost:1/'))
  const { secret } = await api<{ secret: string }>('POST', '/api/agents/office/secrets', {})
  const settings = { SECRET: secret, QUEUE: join(folder, 'queue.json') }
  const start = () => startExample(process.execPath, ['examples/external-tool/tool.mjs'], settings)

  const first = await start()
  await api('PUT', '/api/agents/office', agentWith(first.url))
  const forged = await fetch(first.url, { method: 'POST', body: '{"toolCallId":"call_forged"}' })
  expect(forged.status).toBe(401)
  await create('office', 'order')
  await sendMessage('order', 'use order {"what": "lamp oil"}')
  await expect
    .poll(() => first.lines.at(-1), waitOptions)
    .toMatch(/^\S+: order \{"what":"lamp oil"\} \(until .*Z\)$/)
  const toolCallId = first.lines.at(-1)?.split(':')[0] ?? ''
  await first.stop()

  const second = await start()
  await expect.poll(() => second.lines.at(-1), waitOptions).toBe(first.lines.at(-1))
  second.type(`${toolCallId} {"when": "Monday"}`)
  await expect.poll(() => second.lines.at(-1), waitOptions).toMatch(new RegExp(`^${toolCallId}: rejected `))
  expect((await session('order')).session.waitingFor).toMatchObject([{ toolCallId }])
  second.type(`${toolCallId} {"eta": "Monday"}`)
  await expect.poll(() => second.lines.at(-1), waitOptions).toMatch(new RegExp(`^${toolCallId}: accepted `))
  await expect.poll(async () => (await replies('order')).at(-1), waitOptions).toContain('Monday')
  second.type(`${toolCallId} {"eta": "Tuesday"}`)
  await expect.poll(() => second.lines.at(-1), waitOptions).toBe('Not sent: No such call waits here.')
})
