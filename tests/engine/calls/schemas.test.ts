import { expect, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a schema below one kilobyte that a naive converter expands to 2^18 schemas. */
const exponentialSchema = (depth = 18): Record<string, unknown> =>
  depth === 0
    ? { type: 'string' }
    : { type: ['object', 'object'], properties: { a: exponentialSchema(depth - 1) } }
const invalidSchemas: [what: string, schema: Record<string, unknown>][] = [
  ['deeply nested types', { type: 'object', properties: { a: exponentialSchema() } }],
  ['a look-ahead', { type: 'object', properties: { a: { type: 'string', pattern: '(?=a)b' } } }],
  ['too many parts', { type: 'object', allOf: Array.from({ length: 5_001 }, () => ({})) }]
]

test.each(invalidSchemas)(
  '22 A2: no endpoint of the API accepts a schema with %s, and each error names its position',
  async (_, inputSchema) => {
    const { ctx } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
    await createSession(ctx, { agentId: 'guide', sessionId: 's' })
    const params = { sessionId: 's' }
    const clientTools = [{ name: 'paint', inputSchema }]
    const tools = [
      { where: 'external', name: 'paint', description: 'Paints.', inputSchema, url: 'https://paint.example' }
    ]
    const agent = { agentId: 'painter', displayName: 'Painter', chat: { tools } }
    const requests = [
      [
        callEndpoint(sessionOperations.send, { params, body: { text: 'Hi', clientTools } }),
        'clientTools.0.inputSchema'
      ],
      [
        callEndpoint(chatOperations.post, {
          body: {
            id: 's',
            messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
            clientTools
          }
        }),
        'clientTools.0.inputSchema'
      ],
      [callEndpoint(agentOperations.create, { body: agent }), 'chat.tools.0.inputSchema'],
      [
        callEndpoint(sessionOperations.overlay, { params, body: { overlay: { tools } } }),
        'overlay.tools.0.inputSchema'
      ]
    ] as const
    for (const [answer, field] of requests)
      expect(await answer).toMatchObject({
        status: 422,
        body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } }
      })
  }
)

test('22 A2: a model that proposes such a schema for its agent receives an error, and no approval is requested', async () => {
  const [, inputSchema] = invalidSchemas[0]!
  const tool = {
    where: 'external',
    name: 'paint',
    description: 'Paints.',
    inputSchema,
    url: 'https://paint.example'
  }
  const server = await startTestServer({
    script: [
      replyCalls({
        name: 'commit_revision',
        input: { base_revision_id: 'test@1', config: { displayName: 'Test', chat: { tools: [tool] } } }
      }),
      replyText('I see.')
    ]
  })
  await server.saveAgent({ chat: { tools: [{ name: 'commit_revision' }] } })
  const session = await server.startSession('test')
  expect(await session.runTurn('Change yourself.')).toMatchObject({ outcome: 'done' })
  expect((await session.get()).calls).toMatchObject([{ toolName: 'commit_revision', state: 'failed' }])
})

test('22 A2: a tool of an MCP server with such a schema is left out, the server’s check reports it, and other tools work', async () => {
  const shop = await serveMcp()
  shop.behavior.open = true
  for (const [name, inputSchema] of invalidSchemas) shop.behavior.tools.push({ name, inputSchema })
  const server = await startTestServer({
    script: [replyCalls({ name: 'shop__echo', input: { text: 'hi' } }), replyText('Done.')],
    settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  })
  await saveIntegration(server.ctx, {
    integration: 'shop',
    config: { service: 'Shop', mcp: { url: shop.url } }
  })
  await server.saveAgent({ chat: { tools: [{ mcp: 'shop', approval: 'auto' }] } })
  const session = await server.startSession('test')
  await session.runTurn('Say hi.')
  expect((await session.get()).calls).toMatchObject([{ state: 'answered', output: 'echo: hi' }])
  const firstPrompt = JSON.stringify(server.model.requests[0]?.body)
  const [check] = await server.sql<{ error: string }[]>`select error from mcp_checks`
  for (const [name] of invalidSchemas) {
    expect(firstPrompt).not.toContain(name.replaceAll(' ', '_'))
    expect(check?.error).toContain(name)
  }
})
