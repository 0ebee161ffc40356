import { saveIntegration } from '#lib/features/connections/integrations.ts'
import type { McpTools } from '#lib/protocol/agent/agent.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { connectAt, lacks, withAcme } from '#tests/support/fakes/connecting.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'

/** An agent with the tools of an MCP server that Acme gives tokens for; `open`: of one that wants nobody's account. */
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

/** Connects it, by the tool that is there while nobody has. */
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
