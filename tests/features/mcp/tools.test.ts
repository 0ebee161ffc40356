import { expect, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { checkServer } from '#lib/features/connections/mcp/check-server.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { notInTime } from '#lib/kernel/schemas/schemas.ts'
import { getContext } from '#lib/sessions/context/get-context.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { connectAt, lacks, withAcme } from '#tests/support/fakes/connecting.ts'
import { connected, withTools } from '#tests/support/fakes/mcp-shop.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { by, eveIn, person } from '#tests/support/worlds/actors.ts'

test('nobody is connected: the one tool there is asks for the account, and the server’s own follow (MCP, tools)', async () => {
  const { session, shop, origin } = await connected()
  const [first] = (await session.get()).calls
  expect(first?.output).toMatch(/Shop .*\b2\b/)
  await session.says('use shop__echo {"text":"hello"}')
  await session.reads('echo: hello')
  const [call] = (await session.get()).calls.filter(({ toolName }) => toolName === 'shop__echo')
  expect(call).toMatchObject({ where: 'server', kind: 'server', title: 'Shop: echo', state: 'answered' })
  const ran = shop.asked.filter(({ rpc }) => rpc === 'tools/call')
  expect(ran).toHaveLength(1)
  expect(ran[0]?.authorization).toMatch(/^Bearer ./)
  // Metadata is asked for without the token, and nobody but the server itself was shown it.
  for (const { path, authorization } of shop.asked) if (path !== '/mcp') expect(authorization).toBeUndefined()
  expect(origin).not.toBe(shop.origin)
})

test('22 A3: a server lists its tools with the account that the calls of this turn use unasked, and with no other', async () => {
  const world = await withTools()
  const { ctx, shop, reopen } = world
  const open = (subject?: string) =>
    createSession(ctx, { agentId: 'test', ...(subject === undefined ? {} : { subject }) })
  const tokens: Record<string, string | undefined> = {}
  const asking = ['person:bob', 'subject:eve'].map(async owner => {
    const session = await reopen((await open()).sessionId)
    await session.says('use connect_shop {}')
    return { owner, session, call: await lacks(session, 'connect_shop') }
  })
  for (const { owner, session, call } of await Promise.all(asking)) {
    const done = session.ends()
    await connectAt(world, session, call)
    await done
    await session.says('use shop__echo {"text":"hello"}')
    tokens[owner] = shop.asked.findLast(({ rpc }) => rpc === 'tools/call')?.authorization
    await ctx.sql`
      update connections set sharing = 'user', owner = ${owner}, owner_name = ${owner} where sharing = 'session'`
  }
  expect(new Set(Object.values(tokens)).size).toBe(2)
  /** Whose tokens lists were asked for with, while this one says this in a session. */
  const listsFor = async ({ sessionId }: { sessionId: string }, actor: Actor) => {
    // What is listed is believed for each state of a credential.
    await ctx.sql`update connections set version = version + 1`
    const before = shop.asked.length
    await (await reopen(sessionId, by(ctx, actor))).says('say Hello.')
    const lists = shop.asked.slice(before).filter(({ rpc }) => rpc === 'tools/list')
    return lists.map(({ authorization }) => authorization)
  }
  const theirs = await open()
  expect(await listsFor(theirs, person('bob'))).toEqual([tokens['person:bob']])
  expect(await listsFor(theirs, person('ann'))).not.toContain(tokens['person:bob'])
  const eves = await open('eve')
  expect(await listsFor(eves, eveIn(eves.sessionId))).toEqual([tokens['subject:eve']])
  expect(await listsFor(eves, person('bob'))).toEqual([])
})

test('a tool that fails is an answer that the model reads', async () => {
  const { session } = await connected()
  await session.says('use shop__fail {}')
  const [call] = (await session.get()).calls.filter(({ toolName }) => toolName === 'shop__fail')
  expect(call).toMatchObject({ state: 'failed', errorText: 'Shop: The shop is closed.' })
})

test('arguments that do not fit the server’s schema are not sent to it', async () => {
  const { session, shop } = await connected()
  await session.says('use shop__echo {"text":5}')
  expect(shop.asked.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(0)
  const [call] = (await session.get()).calls.filter(({ toolName }) => toolName === 'shop__echo')
  expect(call).toMatchObject({ state: 'failed' })
})

test('a person approves each call unless the agent says otherwise, whatever the server says of it (readOnlyHint)', async () => {
  const { session, shop } = await connected({ approval: 'ask' })
  const { outcome } = await session.says('use shop__fail {}')
  expect(outcome).toBe('parked')
  const call = await session.waitsFor('shop__fail')
  expect(call).toMatchObject({ kind: 'approval' })
  expect(shop.asked.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(0)
})

test('a server that wants nobody’s account is used without one; `tools` allows some, and a bad schema hides its tool alone', async () => {
  const { session, shop, sql } = await withTools({ tools: ['echo', 'broken', 'weird name!'] }, { open: true })
  shop.told.tools.push(
    { name: 'broken', inputSchema: { type: 'string' } },
    { name: 'weird name!', description: 'x'.repeat(10_000), inputSchema: { type: 'object' } }
  )
  await session.says('use shop__echo {"text":"open"}')
  await session.reads('echo: open')
  expect(shop.tokens()).toEqual([])
  const { calls } = await session.get()
  expect(calls[0]?.toolName).toBe('shop__echo')
  const [row] = await sql<
    { tools: { name: string; description: string }[] }[]
  >`select tools from mcp_tool_lists`
  expect(row?.tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'weird name!'])
  expect(row?.tools.at(-1)?.description).toHaveLength(4000)
  await session.says('use shop__fail {}')
  // It is not in the list of those that this agent may use, so there is none.
  expect(shop.asked.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1)
})

test('a token that is not taken any more: the call waits for a new connection, and runs again', async () => {
  const { session, shop, ctx, origin } = await connected()
  for (const token of shop.tokens()) shop.told.refused.add(token)
  // What it is renewed to is not taken either.
  shop.told.metadata.scopes_supported = []
  await ctx.sql`update connections set secrets = secrets - 'refreshToken'`
  await session.says('use shop__echo {"text":"again"}')
  const call = await lacks(session, 'shop__echo')
  const done = session.ends()
  await connectAt({ ctx, origin }, session, call)
  await done
  await session.reads('echo: again')
})

test('a token that ran out is renewed with the same client and for the same resource, and the call runs', async () => {
  const { session, shop, ctx } = await connected()
  const before = shop.tokens()
  for (const token of before) shop.told.refused.add(token)
  // Whoever the server names by now is not asked: what was given is renewed where it came from.
  shop.told.metadata.authorization_servers = ['https://evil.example']
  await session.says('use shop__echo {"text":"renewed"}')
  await session.reads('echo: renewed')
  expect(shop.tokens().length).toBeGreaterThan(before.length)
  const [row] = await ctx.sql<{ state: string }[]>`select state from connections`
  expect(row?.state).toBe('active')
})

test('insufficient_scope: the call waits for a connection that may do more, with the scopes of the challenge (step-up)', async () => {
  const { session, shop, ctx, origin } = await connected()
  shop.told.more = 'orders:write'
  for (const token of shop.tokens()) shop.told.short.add(token)
  await session.says('use shop__echo {"text":"more"}')
  const call = await lacks(session, 'shop__echo')
  expect(call.render).toMatchObject({ scopes: ['orders:read', 'orders:write'] })
  const done = session.ends()
  await connectAt({ ctx, origin }, session, call)
  await done
  await session.reads('echo: more')
  for (const token of shop.tokens()) shop.told.short.add(token)
  await session.says('use shop__echo {"text":"never"}')
  expect((await session.get()).calls.at(-1)).toMatchObject({ state: 'failed' })
})

test('a server that is silent does not stop a turn; its tools are those that were seen last', async () => {
  const { session, shop, ctx, agent } = await connected()
  await session.says('use shop__echo {"text":"one"}')
  await session.reads('echo: one')
  shop.told.silent = true
  // Another credential: what was listed with the one before is not believed for it.
  await ctx.sql`update connections set version = version + 1`
  await agent({ chat: { tools: [{ mcp: 'shop', approval: 'ask' }] } })
  const { outcome } = await session.says('use shop__echo {"text":"two"}')
  expect(outcome).toBe('parked')
  expect(await session.waitsFor('shop__echo')).toMatchObject({ kind: 'approval' })
})

test('what a server asks by itself is not answered: one answer of it does not become thousands of requests', async () => {
  const { session, shop } = await withTools({}, { open: true })
  shop.told.asks = 500
  await session.says('use shop__echo {"text":"hello"}')
  await session.reads('echo: hello')
  expect(shop.asked.filter(({ path, method }) => path === '/mcp' && method === 'POST').length).toBeLessThan(
    20
  )
})

test('an agent is saved before its MCP server is: until then its turns run without those tools', async () => {
  const { ctx, agent, reopen } = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const agentId = await agent({ chat: { tools: [{ mcp: 'stall', approval: 'auto' }] } })
  const { sessionId } = await createSession(ctx, { agentId })
  const session = await reopen(sessionId)
  expect(await session.says('hello')).toMatchObject({ status: 'idle' })
  const stall = await serveMcp('http://127.0.0.1:1')
  stall.told.open = true
  await saveIntegration(ctx, { integration: 'stall', config: { service: 'Stall', mcp: { url: stall.url } } })
  await session.says('use stall__echo {"text":"open"}')
  await session.reads('echo: open')
})

test('001-17: what a server’s tools take of the context is counted as it was last listed, without asking the server', async () => {
  const { session, shop, ctx } = await withTools({}, { open: true })
  const toolsOf = async () => (await getContext(ctx, { sessionId: session.id, shown: 0 })).breakdown.tools
  const asked = shop.asked.length
  // Nothing is known of it but that it can be connected.
  expect(await toolsOf()).toBeLessThan(60)
  expect(shop.asked).toHaveLength(asked)
  await session.says('say Hello.')
  const listed = shop.asked.length
  const told = shop.told.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema
  }))
  expect(await toolsOf()).toBeGreaterThanOrEqual(countTokens(JSON.stringify(told)) - 5)
  expect(shop.asked).toHaveLength(listed)
})

test('22 A4: where the schemas of a server’s tools cannot be read in time, its list is kept as it was, and the check says why', async () => {
  const { ctx } = await withTools({}, { open: true })
  const before = await checkServer(ctx, { server: 'shop' })
  expect(before).toMatchObject({ found: 'ok', tools: 2 })
  const { schemas } = ctx.ports
  const faultsOf: typeof schemas.faultsOf = async asked => asked.map(() => notInTime)
  const busy = { ...ctx, ports: { ...ctx.ports, schemas: { ...schemas, faultsOf } } }
  expect(await checkServer(busy, { server: 'shop' })).toMatchObject({ found: 'failed', tools: before.tools })
})
