import type { McpTools } from '@waystation/protocol/agent/agent.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { connectAt, lacks, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'

/**
 * Starts a world with an agent that has the tools of an MCP server. Acme issues the server's tokens. With `open`,
 * the server needs no account.
 */
export async function withTools(more: Partial<McpTools> = {}, { open = false } = {}) {
  const world = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const shop = await serveMcp(`${world.origin}/samples/acme`)
  shop.told.open = open
  await saveIntegration(world.ctx, {
    integration: 'shop',
    config: { service: 'Shop', mcp: { url: shop.url } }
  })
  const agentId = await world.agent({ chat: { tools: [{ mcp: 'shop', approval: 'auto', ...more }] } })
  const { sessionId } = await createSession(world.ctx, { agentId })
  return { ...world, shop, session: await world.reopen(sessionId) }
}

/** Connects the account with the tool that exists only without a connection. */
export async function connected(more: Partial<McpTools> = {}) {
  const world = await withTools(more)
  const { session } = world
  await session.says('use connect_shop {}')
  const call = await lacks(session, 'connect_shop')
  const done = session.ends()
  await connectAt(world, session, call)
  await done
  return world
}
