import { expect, test } from 'vitest'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const inputSchema = { type: 'object', properties: {} }
const tool = (url: string) => ({
  name: 'order_status',
  where: 'external',
  description: 'Look up an order.',
  url,
  inputSchema
})
const entry = (url: string) => ({
  kind: 'tool',
  name: 'Order status',
  data: { parameters: { tool: tool(url) } }
})
const embed = (version: string) => ({
  '@ag.embed': {
    '@ag.references': { workflow: { slug: 'order-status', version } },
    '@ag.selector': { path: 'parameters.tool' }
  },
  name: 'order_status'
})
/** Tools with which an agent changes itself, without approval where the change adds no permissions. */
const own = [{ name: 'discover_catalog' }, { name: 'commit_revision', approval: 'auto' }]

/** Starts a server with an own entry in two versions, and an agent with these tools. */
async function startEditor(tools: object[], script: Reply[]) {
  const server = await startTestServer({ script })
  await callEndpoint(catalogueOperations.create, {
    body: { slug: 'order-status', ...entry('https://one.example/a') }
  })
  const params = { slug: 'order-status' }
  await callEndpoint(catalogueOperations.update, { params, body: entry('https://two.example/secret') })
  await agentAt('helper').create({ chat: { tools } })
  return { ...server, session: await server.startSession('helper') }
}
const proposal = (tools: object[]) =>
  replyCalls({
    name: 'commit_revision',
    input: { base_revision_id: 'helper@1', config: { displayName: 'Helper', chat: { tools } } }
  })

test('002-17: an agent finds own entries like built-in ones, with the value to add', async () => {
  const { session } = await startEditor(own, [
    replyCalls(
      { name: 'discover_catalog', input: { query: 'order status' } },
      { name: 'discover_catalog', input: {} }
    ),
    replyText('Found.')
  ])
  await session.runTurn('What could you use?')
  const { calls } = await session.get()
  const [found, all] = calls.map(
    ({ output }) => output as { entries: { name: string; value: object }[]; more: number }
  )
  expect(found).toEqual({
    more: 0,
    entries: [
      { name: 'Order status', description: '', kind: 'tool', add_to: 'chat.tools', value: embed('v2') }
    ]
  })
  expect(all?.entries.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['web-fetch', 'Connect first', 'Order status'])
  )
  expect(all?.entries.map(({ name }) => name)).not.toContain('Build kit')
})

test.each([
  ['adds an own entry', [], embed('v2'), 'https://two.example/'],
  ['uses another version of an own entry', [embed('v1')], embed('v2'), 'https://two.example/']
])(
  '002-17: a proposal that %s needs approval, and the review names the host',
  async (_, before, after, host) => {
    const { session } = await startEditor(
      [...own, ...before],
      [proposal([...own, after]), replyText('Done.')]
    )
    await session.runTurn('Use the newest one.')
    const call = await session.waitForCall('commit_revision')
    expect(call.kind).toBe('approval')
    const { widens } = call.render as unknown as { widens: string[] }
    expect(widens.join(' ')).toContain(host)
    expect(widens.join(' ')).not.toContain('secret')
    await session.answer(call, { approved: true })
    await session.waitForEnd()
    expect((await agentAt('helper').get()).body.chat).toMatchObject({ tools: [...own, after] })
  }
)

test('a proposal with a reference to a missing entry fails at once', async () => {
  const { session } = await startEditor(own, [proposal([...own, embed('v3')]), replyText('Sorry.')])
  expect(await session.runTurn('Use the third one.')).toMatchObject({ outcome: 'done' })
  const { calls } = await session.get()
  expect(calls[0]).toMatchObject({ state: 'failed' })
})
