import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { createApiClient } from '#tests/support/servers/api-client.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

test('003-19: refund-order.ts refunds after an approval and not more than was paid, and find-package.ts asks a registry', async () => {
  const registry = await startExternalSystem((response, { path }) => {
    response.statusCode = path === '/zod/latest' ? 200 : 404
    response.end(JSON.stringify({ version: '4.0.0', license: 'MIT', readme: 'long' }))
  })
  const server = await startServer({
    WAYSTATION_TOOLS: resolve('examples/tools'),
    NPM_REGISTRY: registry.url,
    WAYSTATION_EGRESS_ALLOW: registry.host
  })
  onTestFinished(() => server.stop())
  const api = createApiClient(server)
  const tools = [{ name: 'refund-order' }, { name: 'find-package' }]
  await api.post('/agents', { agentId: 'shop', displayName: 'Shop', chat: { instructions: '', tools } })

  /** Sends the calls, approves those that wait, and returns the results of the session. */
  const resultsOf = async (sessionId: string, ...calls: [tool: string, input: object][]) => {
    await api.create('shop', sessionId)
    const text = calls.map(([tool, input]) => `use ${tool} ${JSON.stringify(input)}`).join('\n')
    const approves = calls.some(([tool]) => tool === 'refund-order')
    await api.post(`/sessions/${sessionId}/messages`, { text })
    const { session } = approves ? await api.until(sessionId, 'parked') : { session: undefined }
    for (const { toolCallId } of session?.waitingFor ?? [])
      await api.post(`/sessions/${sessionId}/calls/${toolCallId}/answer`, { approved: true })
    return (await api.until(sessionId, 'idle')).calls
  }
  const refund = (amount: number, orderId = 'A-17'): [string, object] => ['refund-order', { orderId, amount }]
  expect(await resultsOf('first', refund(12))).toMatchObject([{ output: { refunded: 12, left: 30 } }])
  expect(await resultsOf('second', refund(31))).toMatchObject([{ errorText: expect.stringContaining('30') }])
  expect(await resultsOf('third', refund(1, 'B-2'))).toMatchObject([
    { errorText: expect.stringContaining('B-2') }
  ])
  const find = (name: string): [string, object] => ['find-package', { name }]
  expect(await resultsOf('fourth', find('zod'))).toMatchObject([
    { output: { found: true, version: '4.0.0', license: 'MIT' } }
  ])
  expect(await resultsOf('fifth', find('missing'))).toMatchObject([{ output: { found: false } }])
})
