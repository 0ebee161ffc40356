import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startExampleServer } from './example-runtime.ts'
import { startExample } from './start-example.ts'

const { api, create, sendMessage, replies } = startExampleServer()

const languages = [
  ['Node', process.execPath, ['examples/external-agent/agent.mjs']],
  ['Python', 'python3', ['examples/external-agent/agent.py']]
] as const

test.each(
  languages.flatMap(([name, command, args]) =>
    [false, true].map(signs => [name, signs, command, args] as const)
  )
)(
  "the external agent in %s (signed: %s) receives a user's message and replies",
  async (name, signs, command, args) => {
    const agentId = `${name}-${signs}`
    const agent = {
      agentId,
      displayName: name,
      type: 'external',
      external: { inputUrl: 'http://localhost:1/' }
    }
    await api('POST', '/api/agents', agent)
    const settings: Record<string, string> = signs
      ? { SECRET: (await api<{ secret: string }>('POST', `/api/agents/${agentId}/secrets`, {})).secret }
      : {}
    const { url } = await startExample(command, args, settings)
    await api('PUT', `/api/agents/${agentId}`, { ...agent, external: { inputUrl: url } })
    await create(agentId, agentId)
    await sendMessage(agentId, 'héllo')
    await expect
      .poll(() => replies(agentId), { timeout: 30_000 })
      .toEqual([`You said **héllo** in \`${agentId}\`.`])
  }
)

test.each(languages)(
  'the external agent in %s sends a reply again when the server restarts or is busy',
  async (_, command, args) => {
    const { url } = await startExample(command, args, {})
    const replies: { key: unknown; reply: string }[] = []
    const server = createServer(async (request, response) => {
      if (request.url?.startsWith('/messages') !== true) return response.end('{}')
      const reply = await text(request)
      const attempt = replies.push({ key: request.headers['webhook-id'], reply })
      if (attempt === 1) return request.socket.destroy()
      response.writeHead(attempt === 2 ? 503 : 200).end('{}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages?token=t`
    const message = { type: 'user', id: 'msg_1', text: 'hello' }
    await fetch(url, {
      method: 'POST',
      headers: { 'idempotency-key': 'dlv_1' },
      body: JSON.stringify({ sessionId: 'order-1', agentId: 'acme', callbackUrl, message })
    })
    await expect.poll(() => replies.length, { timeout: 30_000 }).toBe(3)
    expect(new Set(replies.map(each => JSON.stringify(each))).size).toBe(1)
  },
  60_000
)
