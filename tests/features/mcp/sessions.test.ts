import { expect, test } from 'vitest'
import { checkServer } from '#lib/features/connections/mcp/check-server.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { connectShop, withTools } from '#tests/support/fakes/mcp-shop.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const counter = {
  name: 'count',
  description: 'Counts the calls of a session.',
  inputSchema: { type: 'object' }
}

/** Starts an agent at a server that counts the calls of each session. */
async function withCounter({ open = true } = {}) {
  const server = await withTools({}, { open })
  const sessions = new Map<string, number>()
  Object.assign(server.shop.behavior, { tools: [counter], sessions })
  const { ctx, session, shop } = server
  // On a busy machine, the turn would have no tools, because a server has three seconds to list them.
  if (open) await expect.poll(async () => (await checkServer(ctx, { server: 'shop' })).found).toBe('ok')
  const outputs = async () => (await session.get()).calls.map(({ output, errorText }) => output ?? errorText)
  /** Returns the requests of calls, without the lists of tools, which have sessions of their own. */
  const calls = () => shop.asked.filter(({ rpc }) => rpc === 'tools/call')
  return { ...server, sessions, outputs, calls }
}

test('001-19: calls in one turn and in later turns continue one session of the MCP server', async () => {
  const { session, outputs, calls, shop } = await withCounter()
  await session.runTurn('use shop__count {}\nuse shop__count {}')
  await session.runTurn('use shop__count {}')
  expect((await outputs()).sort()).toEqual(['calls: 1', 'calls: 2', 'calls: 3'])
  expect(new Set(calls().map(called => called.session)).size).toBe(1)
  const [called] = calls()
  // The lists of tools have sessions of their own, which end at once. The session of the calls stays open.
  expect(shop.asked.filter(({ method }) => method === 'DELETE').map(ended => ended.session)).not.toContain(
    called?.session
  )
})

test('001-19: another process continues the session of the MCP server', async () => {
  const { session, sql, calls, databaseUrl, server } = await withCounter()
  await session.runTurn('use shop__count {}')
  const stored = await sql<{ secret: string }[]>`select secret from mcp_sessions`
  expect(JSON.stringify(stored)).not.toContain(calls()[0]?.session)
  const url = databaseUrl()
  await server.stop()
  const next = await startTestServer({
    database: url,
    settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  })
  const continued = await next.reopenSession(session.id)
  await continued.runTurn('use shop__count {}')
  expect((await continued.get()).calls.map(({ output }) => output)).toContain('calls: 2')
})

test('001-19: if the server forgot the session, the call runs in a new one and its answer says so', async () => {
  const { session, sessions, outputs, calls } = await withCounter()
  await session.runTurn('use shop__count {}')
  sessions.clear()
  await session.runTurn('use shop__count {}')
  expect(await outputs()).toEqual(['calls: 1', expect.stringMatching(/^Note: Shop .*calls: 1$/s)])
  expect(sessions.size).toBe(1)
  await session.runTurn('use shop__count {}')
  expect((await outputs()).at(-1)).toBe('calls: 2')
  expect(calls().filter(called => called.session !== undefined)).toHaveLength(4)
})

test('001-19: a call that learns late that the session is forgotten continues the new one', async () => {
  const { session, sessions, shop } = await withCounter()
  await session.runTurn('use shop__count {}')
  sessions.clear()
  let unknown = 0
  shop.behavior.beforeUnknown = async () => {
    unknown += 1
    const position = unknown
    // Both calls must have sent the old session before the first one opens another.
    if (position === 1) await expect.poll(() => unknown).toBeGreaterThan(1)
    if (position === 2) await expect.poll(() => [...sessions.values()]).toEqual([1])
  }
  await session.runTurn('use shop__count {}\nuse shop__count {}')
  expect(unknown).toBe(2)
  expect([...sessions.values()]).toEqual([2])
})

test('001-19: each agent instance has its own session, which ends at the server soon after the instance', async () => {
  const counted = await withCounter({ open: false })
  const { ctx, sql, session, sessions, shop, calls } = await connectShop(counted)
  await session.runTurn('use shop__count {}')
  const other = await counted.startSession((await session.get()).session.agentId)
  await connectShop({ ...counted, session: other })
  await other.runTurn('use shop__count {}')
  const [first, second] = calls()
  expect(first?.session).not.toBe(second?.session)
  // The session's own account is deleted with it. The workspace's account still ends the session.
  await sql`update connections set sharing = 'workspace', owner = '' where id = (
    select connection_id from mcp_sessions where session_key = ${session.key})`
  await deleteSession(ctx, { sessionId: session.id })
  await sql`select graphile_worker.add_job('end-mcp-sessions')`
  await expect.poll(() => sessions.has(first?.session ?? '')).toBe(false)
  expect(sessions.get(second?.session ?? '')).toBe(1)
  await expect.poll(() => sql`select from mcp_sessions`).toHaveLength(1)
  const ended = shop.asked.find(({ method, session: id }) => method === 'DELETE' && id === first?.session)
  expect(ended?.authorization).toBe(first?.authorization)
})
