import { expect, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { withTools } from '#tests/support/fakes/mcp-shop.ts'
import { hasListed, serveEverything } from '#tests/support/fakes/serve-everything.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const last = async (session: TestSession) => (await session.get()).calls.at(-1)

test.each(['streamableHttp', 'sse'] as const)(
  '001-19: resources and prompts of the reference server are listed and used (%s)',
  async transport => {
    const url = await serveEverything(transport)
    const { ctx, saveAgent, reopenSession } = await startTestServer({
      settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
    })
    await saveIntegration(ctx, { integration: 'all', config: { service: 'Everything', mcp: { url } } })
    await hasListed(ctx, 'all')
    const agentId = await saveAgent({ chat: { tools: [{ mcp: 'all', approval: 'auto' }] } })
    const session = await reopenSession((await createSession(ctx, { agentId })).sessionId)
    await session.runTurn('use all__list_resources {}')
    const listing = String((await last(session))?.output)
    const lines = listing.split('\n').map(line => JSON.parse(line) as { uri?: string; uriTemplate?: string })
    expect(lines.some(({ uriTemplate }) => uriTemplate !== undefined)).toBe(true)
    const { uri } = lines.find(({ uri }) => uri !== undefined) ?? {}
    await session.runTurn(`use all__read_resource {"uri":"${uri}"}`)
    expect(await last(session)).toMatchObject({ state: 'answered', output: expect.stringMatching(/\w/) })
    await session.runTurn('use all__read_resource {"uri":"demo://resource/dynamic/blob/1"}')
    expect((await last(session))?.output).toMatch(
      /^\[demo:\/\/resource\/dynamic\/blob\/1, .+, \d+ bytes, not shown\]$/
    )
    await session.runTurn('use all__list_prompts {}')
    expect((await last(session))?.output).toContain('"name":"simple-prompt"')
    await session.runTurn('use all__get_prompt {"name":"args-prompt","arguments":{"city":"Bergen"}}')
    expect((await last(session))?.output).toMatch(/^user: .*Bergen/)
    await session.runTurn('use all__read_resource {"uri":"demo://nothing"}')
    expect(await last(session)).toMatchObject({
      state: 'failed',
      errorText: expect.stringContaining('Everything: ')
    })
  }
)

test('001-19: a server without resources and prompts has no tools for them', async () => {
  const { session, shop } = await withTools({}, { open: true })
  await session.runTurn('use shop__list_resources {}')
  expect(await last(session)).toBeUndefined()
  expect(shop.asked.some(({ rpc }) => rpc === 'resources/list')).toBe(false)
})

test('001-19: a server’s own tool keeps its name, and `tools` and approval apply to the other ones as to tools', async () => {
  const { session, shop } = await withTools(
    { tools: ['echo', 'read_resource', 'list_prompts'], approval: 'ask' },
    { open: true }
  )
  shop.behavior.capabilities = { tools: {}, resources: {}, prompts: {} }
  shop.behavior.tools.push({ name: 'list_prompts', description: 'Its own.', inputSchema: { type: 'object' } })
  await session.runTurn('use shop__read_resource {"uri":"shop://one"}')
  const call = await session.waitForCall('shop__read_resource')
  expect(call).toMatchObject({ kind: 'approval', title: 'Shop: read_resource' })
  const done = session.waitForEnd()
  await session.answer(call, { approved: true })
  await done
  const header = '[shop://one, image/png, 3 bytes, not shown]\n'
  const remaining = 200_000 - header.length
  expect((await last(session))?.output).toBe(
    `${header}${'x'.repeat(remaining)}\n[truncated: ${300_000 - remaining} more characters]`
  )
  await session.runTurn('use shop__list_prompts {}')
  const ownCall = await session.waitForCall('shop__list_prompts')
  const turnEnd = session.waitForEnd()
  await session.answer(ownCall, { approved: true })
  await turnEnd
  expect(shop.asked.at(-1)).toMatchObject({ rpc: 'tools/call' })
})
