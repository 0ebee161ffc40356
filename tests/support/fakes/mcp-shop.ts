import type { McpTools } from '@waystation/protocol/agent/agent.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'

/**
 * Starts a server with an agent that has the tools of an MCP server. Acme issues the server's tokens. With `open`,
 * the server needs no account.
 */
export async function withTools(more: Partial<McpTools> = {}, { open = false } = {}) {
  const server = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const shop = await serveMcp(`${server.origin}/samples/acme`)
  shop.behavior.open = open
  await saveIntegration(server.ctx, {
    integration: 'shop',
    config: { service: 'Shop', mcp: { url: shop.url } }
  })
  const agentId = await server.saveAgent({ chat: { tools: [{ mcp: 'shop', approval: 'auto', ...more }] } })
  const { sessionId } = await createSession(server.ctx, { agentId })
  return { ...server, shop, session: await server.reopenSession(sessionId) }
}

/** Starts such a server, and connects the account. */
export const connected = async (more: Partial<McpTools> = {}) => connectShop(await withTools(more))

/** Connects the account with the tool that exists only without a connection. */
export async function connectShop<Server extends Awaited<ReturnType<typeof withTools>>>(server: Server) {
  const { session } = server
  await session.runTurn('use connect_shop {}')
  const call = await waitForConnectionCall(session, 'connect_shop')
  const done = session.waitForEnd()
  await connectAt(server, session, call)
  await done
  return server
}
