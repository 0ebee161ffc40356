import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { ToolError, tool } from '@waystation/server'
import { nodeListener } from '@waystation/server/node'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { httpToolOperations } from '#lib/http/operations/http-tools.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const settings = { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }

async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const read = (url: string) => callEndpoint(httpToolOperations.read, { body: { url } })
const call = async (url: string, input: object) => {
  const body = { url, name: 'weather', agentId: 'test', input }
  return (await callEndpoint(httpToolOperations.test, { body })).body as DeliveryAttempt
}

test('the form reads the definition of a tool, and a signed test call returns its result', async () => {
  const { saveAgent, ctx } = await startTestServer({ settings })
  await saveAgent({})
  const { secret } = await rotateAgentSecret(ctx, { agentId: 'test', overlapSeconds: 0 })
  const handler = tool({
    name: 'weather',
    description: 'Knows the weather.',
    inputSchema: z.object({ city: z.string() }),
    approval: 'ask',
    secret,
    execute({ city }) {
      if (city === 'Atlantis') throw new ToolError('There is no such city.')
      return { city, degrees: 9 }
    }
  })
  const url = await serve(nodeListener(handler))
  expect(await read(url)).toMatchObject({
    status: 200,
    body: {
      name: 'weather',
      description: 'Knows the weather.',
      approval: 'ask',
      inputSchema: { type: 'object', required: ['city'] }
    }
  })
  const answerOf = async (input: object) => JSON.parse((await call(url, input)).body ?? '')
  expect(await answerOf({ city: 'Bergen' })).toEqual({ output: { city: 'Bergen', degrees: 9 } })
  expect(await answerOf({ city: 'Atlantis' })).toEqual({ error: 'There is no such city.' })
  expect(await answerOf({})).toEqual({ error: expect.stringContaining('city') })
  await rotateAgentSecret(ctx, { agentId: 'test', overlapSeconds: 0 })
  expect(await call(url, { city: 'Bergen' })).toMatchObject({ status: 401, error: expect.any(String) })
})

test('a service that is no tool, or that cannot be reached, is a readable error', async () => {
  await startTestServer({ settings })
  const seen: IncomingMessage['method'][] = []
  const url = await serve((request, response) => {
    seen.push(request.method)
    if (request.url === '/missing') response.writeHead(404)
    response.end(request.url === '/no-schema' ? '{"name":"a"}' : 'Hello')
  })
  for (const path of ['', 'missing', 'no-schema'])
    expect(await read(`${url}${path}`), path).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect(await read('http://127.0.0.1:1/')).toMatchObject({ status: 409 })
  expect(await read('http://169.254.169.254/')).toMatchObject({ status: 409 })
  expect(await call('http://169.254.169.254/', {})).toMatchObject({ error: expect.any(String) })
  expect(seen).toEqual(['GET', 'GET', 'GET'])
})
