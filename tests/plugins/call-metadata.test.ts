import { FinishReason } from '@waystation/plugin-host/generated/llm_pb.ts'
import { expect, test } from 'vitest'
import { forwardRoute } from '#lib/plugins/views/forward-route.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { startWithPlugins } from '#tests/support/servers/server-with-plugins.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

test('003-9, 003-15: calls and events name the workspace, session, user and call, and have an idempotency key', async () => {
  const { session, plugins } = await startWithPlugins({ guard: { hook: () => undefined } }, [
    replyCalls({ name: 'tally', input: { text: 'a b' } }),
    replyText('Done.')
  ])
  await session.runTurn('Go.')
  const [call] = (await session.get()).calls
  const calls = plugins[0]?.calls ?? []
  expect(calls.every(({ metadata }) => metadata.workspace === 'default')).toBe(true)
  const origin = { workspace: 'default', session: session.id, user: 'key:Ann' }
  expect(calls.find(({ method }) => method === 'ExecuteTool')?.metadata).toEqual({
    ...origin,
    call: call?.toolCallId,
    'idempotency-key': call?.toolCallId
  })
  const events = calls.filter(({ method }) => method === 'OnEvent').map(({ metadata }) => metadata)
  expect(events[0]).toEqual({ ...origin, 'idempotency-key': expect.any(String) })
  expect(events.filter(metadata => metadata.call === call?.toolCallId)).toHaveLength(2)
  expect(new Set(events.map(metadata => metadata['idempotency-key'])).size).toBe(events.length)
})

test('003-10: a model call has the session, the user and the parameters of the agent, and a repeated one has the same key', async () => {
  const requests: object[] = []
  const plugin = await serveTestPlugin({
    async *complete({ temperature, topP, maxTokens }) {
      requests.push({ temperature, topP, maxTokens })
      // The first answer has no end, so the server repeats the call.
      if (requests.length === 1) return
      yield { event: { case: 'delta', value: { content: 'Hello.' } } }
      yield { event: { case: 'finish', value: { reason: FinishReason.STOP } } }
    }
  })
  const server = await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  await server.saveAgent({
    chat: {
      model: 'plugin:twin/small',
      parameters: { temperature: 0.5, topP: 0.25, maxOutputTokens: 70 },
      toolSettings: { retry: { maxAttempts: 2, initialDelaySeconds: 0, maxDelaySeconds: 0 } }
    }
  })
  const session = await server.startSession('test')
  await session.runTurn('Go.')
  expect(requests).toEqual([1, 2].map(() => ({ temperature: 0.5, topP: 0.25, maxTokens: 70 })))
  const [first, second] = plugin.calls.filter(({ method }) => method === 'Complete')
  expect(first?.metadata).toEqual({
    workspace: 'default',
    session: session.id,
    user: 'key:Ann',
    'idempotency-key': expect.any(String)
  })
  expect(second?.metadata).toEqual(first?.metadata)
})

test('003-13: a request of a view names its user', async () => {
  const plugin = await serveTestPlugin({
    views: [{ name: 'board', routes: [{ method: 'GET', path: '/tasks' }] }],
    route: async () => ({ statusCode: 200 })
  })
  const server = await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  const request = { method: 'GET', path: '/tasks', body: new Uint8Array(), headers: {}, query: {} }
  const view = { workspaceId: 'default', plugin: 'twin' }
  await forwardRoute(server.ctx, view, request, AbortSignal.timeout(10_000))
  expect(plugin.calls.at(-1)).toEqual({
    method: 'HandleRoute',
    metadata: { workspace: 'default', user: 'key:Ann', 'idempotency-key': expect.any(String) }
  })
})
