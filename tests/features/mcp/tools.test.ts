import { notInTime } from '@waystation/json-schemas'
import { expect, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { checkServer } from '#lib/features/connections/mcp/check-server.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { getContext } from '#lib/sessions/context/get-context.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { connected, withTools } from '#tests/support/fakes/mcp-shop.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { by, eveIn, person } from '#tests/support/servers/actors.ts'

test('without an account the only tool is the one that asks for it, and the server’s own tools follow (MCP, tools)', async () => {
  const { session, shop, origin } = await connected()
  const [first] = (await session.get()).calls
  expect(first?.output).toMatch(/Shop .*\b2\b/)
  await session.runTurn('use shop__echo {"text":"hello"}')
  await session.waitForText('echo: hello')
  const [call] = (await session.get()).calls.filter(({ toolName }) => toolName === 'shop__echo')
  expect(call).toMatchObject({ where: 'server', kind: 'server', title: 'Shop: echo', state: 'answered' })
  const toolRequests = shop.asked.filter(({ rpc }) => rpc === 'tools/call')
  expect(toolRequests).toHaveLength(1)
  expect(toolRequests[0]?.authorization).toMatch(/^Bearer ./)
  // Metadata is requested without the token, which only the server itself receives.
  for (const { path, authorization } of shop.asked) if (path !== '/mcp') expect(authorization).toBeUndefined()
  expect(origin).not.toBe(shop.origin)
})

test('22 A3: a server lists its tools with the account that the turn’s calls use without approval, and with no other', async () => {
  const server = await withTools()
  const { ctx, shop, reopenSession } = server
  const createFor = (subject?: string) =>
    createSession(ctx, { agentId: 'test', ...(subject === undefined ? {} : { subject }) })
  const tokens: Record<string, string | undefined> = {}
  const connecting = ['person:bob', 'subject:eve'].map(async owner => {
    const session = await reopenSession((await createFor()).sessionId)
    await session.runTurn('use connect_shop {}')
    return { owner, session, call: await waitForConnectionCall(session, 'connect_shop') }
  })
  for (const { owner, session, call } of await Promise.all(connecting)) {
    const done = session.waitForEnd()
    await connectAt(server, session, call)
    await done
    await session.runTurn('use shop__echo {"text":"hello"}')
    tokens[owner] = shop.asked.findLast(({ rpc }) => rpc === 'tools/call')?.authorization
    await ctx.sql`
      update connections set sharing = 'user', owner = ${owner}, owner_name = ${owner} where sharing = 'session'`
  }
  expect(new Set(Object.values(tokens)).size).toBe(2)
  /** Returns the tokens of the list requests while this actor writes in a session. */
  const listTokensFor = async ({ sessionId }: { sessionId: string }, actor: Actor) => {
    // The tool list is cached per version of a credential.
    await ctx.sql`update connections set version = version + 1`
    const before = shop.asked.length
    await (await reopenSession(sessionId, by(ctx, actor))).runTurn('say Hello.')
    const listRequests = shop.asked.slice(before).filter(({ rpc }) => rpc === 'tools/list')
    return listRequests.map(({ authorization }) => authorization)
  }
  const ownSession = await createFor()
  expect(await listTokensFor(ownSession, person('bob'))).toEqual([tokens['person:bob']])
  expect(await listTokensFor(ownSession, person('ann'))).not.toContain(tokens['person:bob'])
  const eveSession = await createFor('eve')
  expect(await listTokensFor(eveSession, eveIn(eveSession.sessionId))).toEqual([tokens['subject:eve']])
  expect(await listTokensFor(eveSession, person('bob'))).toEqual([])
})

test('a failing tool gives an answer that the model reads', async () => {
  const { session } = await connected()
  await session.runTurn('use shop__fail {}')
  const [call] = (await session.get()).calls.filter(({ toolName }) => toolName === 'shop__fail')
  expect(call).toMatchObject({ state: 'failed', errorText: 'Shop: The shop is closed.' })
})

test('arguments that do not match the server’s schema are not sent to it', async () => {
  const { session, shop } = await connected()
  await session.runTurn('use shop__echo {"text":5}')
  expect(shop.asked.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(0)
  const [call] = (await session.get()).calls.filter(({ toolName }) => toolName === 'shop__echo')
  expect(call).toMatchObject({ state: 'failed' })
})

test('each call needs approval unless the agent says otherwise, regardless of the server’s readOnlyHint', async () => {
  const { session, shop } = await connected({ approval: 'ask' })
  const { outcome } = await session.runTurn('use shop__fail {}')
  expect(outcome).toBe('parked')
  const call = await session.waitForCall('shop__fail')
  expect(call).toMatchObject({ kind: 'approval' })
  expect(shop.asked.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(0)
})

test('a server without authorization is used without an account; `tools` selects tools, and an invalid schema hides only its tool', async () => {
  const { session, shop, sql } = await withTools({ tools: ['echo', 'broken', 'weird name!'] }, { open: true })
  shop.behavior.tools.push(
    { name: 'broken', inputSchema: { type: 'string' } },
    { name: 'weird name!', description: 'x'.repeat(10_000), inputSchema: { type: 'object' } }
  )
  await session.runTurn('use shop__echo {"text":"open"}')
  await session.waitForText('echo: open')
  expect(shop.tokens()).toEqual([])
  const { calls } = await session.get()
  expect(calls[0]?.toolName).toBe('shop__echo')
  const [row] = await sql<
    { tools: { name: string; description: string }[] }[]
  >`select tools from mcp_tool_lists`
  expect(row?.tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'weird name!'])
  expect(row?.tools.at(-1)?.description).toHaveLength(4000)
  await session.runTurn('use shop__fail {}')
  // The agent’s list does not contain this tool, so it does not exist for the agent.
  expect(shop.asked.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1)
})

test('if a token is rejected, the call waits for a new connection and runs again', async () => {
  const { session, shop, ctx, origin } = await connected()
  for (const token of shop.tokens()) shop.behavior.refused.add(token)
  // The connection has no refresh token, so it cannot be refreshed.
  shop.behavior.metadata.scopes_supported = []
  await ctx.sql`update connections set secrets = secrets - 'refreshToken'`
  await session.runTurn('use shop__echo {"text":"again"}')
  const call = await waitForConnectionCall(session, 'shop__echo')
  const done = session.waitForEnd()
  await connectAt({ ctx, origin }, session, call)
  await done
  await session.waitForText('echo: again')
})

test('an expired token is refreshed with the same client and resource, and the call runs', async () => {
  const { session, shop, ctx } = await connected()
  const before = shop.tokens()
  for (const token of before) shop.behavior.refused.add(token)
  // The refresh goes to the authorization server that issued the token, not to the one that is named now.
  shop.behavior.metadata.authorization_servers = ['https://evil.example']
  await session.runTurn('use shop__echo {"text":"renewed"}')
  await session.waitForText('echo: renewed')
  expect(shop.tokens().length).toBeGreaterThan(before.length)
  const [row] = await ctx.sql<{ state: string }[]>`select state from connections`
  expect(row?.state).toBe('active')
})

test('insufficient_scope: the call waits for a connection with the scopes of the challenge (step-up)', async () => {
  const { session, shop, ctx, origin } = await connected()
  shop.behavior.more = 'orders:write'
  for (const token of shop.tokens()) shop.behavior.short.add(token)
  await session.runTurn('use shop__echo {"text":"more"}')
  const call = await waitForConnectionCall(session, 'shop__echo')
  expect(call.render).toMatchObject({ scopes: ['orders:read', 'orders:write'] })
  const done = session.waitForEnd()
  await connectAt({ ctx, origin }, session, call)
  await done
  await session.waitForText('echo: more')
  for (const token of shop.tokens()) shop.behavior.short.add(token)
  await session.runTurn('use shop__echo {"text":"never"}')
  expect((await session.get()).calls.at(-1)).toMatchObject({ state: 'failed' })
})

test('a server that does not respond does not stop a turn, which uses the last known tools', async () => {
  const { session, shop, ctx, saveAgent } = await connected()
  await session.runTurn('use shop__echo {"text":"one"}')
  await session.waitForText('echo: one')
  shop.behavior.silent = true
  // This is another credential, so the list of the previous one is not used.
  await ctx.sql`update connections set version = version + 1`
  await saveAgent({ chat: { tools: [{ mcp: 'shop', approval: 'ask' }] } })
  const { outcome } = await session.runTurn('use shop__echo {"text":"two"}')
  expect(outcome).toBe('parked')
  expect(await session.waitForCall('shop__echo')).toMatchObject({ kind: 'approval' })
})

test('requests from a server are not answered: one response cannot cause thousands of requests', async () => {
  const { session, shop } = await withTools({}, { open: true })
  shop.behavior.asks = 500
  await session.runTurn('use shop__echo {"text":"hello"}')
  await session.waitForText('echo: hello')
  expect(shop.asked.filter(({ path, method }) => path === '/mcp' && method === 'POST').length).toBeLessThan(
    20
  )
})

test('an agent can be saved before its MCP server, and its turns run without those tools until then', async () => {
  const { ctx, saveAgent, reopenSession } = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const agentId = await saveAgent({ chat: { tools: [{ mcp: 'stall', approval: 'auto' }] } })
  const { sessionId } = await createSession(ctx, { agentId })
  const session = await reopenSession(sessionId)
  expect(await session.runTurn('hello')).toMatchObject({ status: 'idle' })
  const stallServer = await serveMcp('http://127.0.0.1:1')
  stallServer.behavior.open = true
  await saveIntegration(ctx, {
    integration: 'stall',
    config: { service: 'Stall', mcp: { url: stallServer.url } }
  })
  await session.runTurn('use stall__echo {"text":"open"}')
  await session.waitForText('echo: open')
})

test('001-17: the size of a server’s tools in the context is taken from the last list, without contacting the server', async () => {
  const { session, shop, ctx } = await withTools({}, { open: true })
  const toolsOf = async () => (await getContext(ctx, { sessionId: session.id, shown: 0 })).breakdown.tools
  const requestsBefore = shop.asked.length
  // The server knows only that it can be connected.
  expect(await toolsOf()).toBeLessThan(60)
  expect(shop.asked).toHaveLength(requestsBefore)
  await session.runTurn('say Hello.')
  const requestsAfterList = shop.asked.length
  const definitions = shop.behavior.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema
  }))
  expect(await toolsOf()).toBeGreaterThanOrEqual(countTokens(JSON.stringify(definitions)) - 5)
  expect(shop.asked).toHaveLength(requestsAfterList)
})

test('22 A4: if the schemas of a server’s tools cannot be checked in time, its list stays, and the check reports why', async () => {
  const { ctx } = await withTools({}, { open: true })
  const before = await checkServer(ctx, { server: 'shop' })
  expect(before).toMatchObject({ found: 'ok', tools: 2 })
  const { schemas } = ctx.ports
  const errorsOf: typeof schemas.errorsOf = async batch => batch.map(() => notInTime)
  const busy = { ...ctx, ports: { ...ctx.ports, schemas: { ...schemas, errorsOf } } }
  expect(await checkServer(busy, { server: 'shop' })).toMatchObject({ found: 'failed', tools: before.tools })
})
