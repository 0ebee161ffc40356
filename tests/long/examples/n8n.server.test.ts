import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startExampleServer } from '#tests/examples/example-runtime.ts'
import { followWorkflow, type Received, type Workflow } from '#tests/examples/follow-workflow.ts'

const { api, create, sendMessage, replies } = startExampleServer()
const workflow: Workflow = JSON.parse(await readFile('examples/n8n/waystation.json', 'utf8'))

/** Starts a stand-in for n8n, which does not run in this test. It responds like n8n and records each request. */
async function startFakeServer() {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    received.push({ method, path, headers, body: await json(request) })
    response.end('{"message":"Workflow was started"}')
  }).listen(0)
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    await once(server, 'close')
  })
  return { received, url: `http://localhost:${(server.address() as AddressInfo).port}/webhook/waystation` }
}

test('the n8n workflow replies once to the callbackUrl of a real request, however often it runs', async () => {
  const { received, url: inputUrl } = await startFakeServer()
  const agent = { agentId: 'flow', displayName: 'Flow', type: 'external', external: { inputUrl } }
  await api('POST', '/api/agents', agent)
  await create('flow', 'order-7')
  await sendMessage('order-7', 'Two crates, please.')
  await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1)
  const [message] = received
  if (message === undefined) throw new Error('Nothing came.')
  await followWorkflow(workflow, message)
  await followWorkflow(workflow, message)
  expect(await replies('order-7')).toEqual(['You said **Two crates, please.** in `order-7`.'])
})

test('a workflow that uses a missing field fails instead of passing as working', async () => {
  const message = { sessionId: 'order-7', message: { text: 'Hello' } }
  const headers = { 'idempotency-key': 'dlv_1' }
  const received: Received = { method: 'POST', path: '/webhook/waystation', headers, body: message }
  await expect(followWorkflow(workflow, received)).rejects.toThrow("$('Message').item.json.body.callbackUrl")
})
