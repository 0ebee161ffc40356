import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { CheckedState, InMcpServer, McpServerOffer } from '#lib/protocol/connection/mcp.ts'
import { askServer } from './ask-server.ts'
import { placeOf } from './place.ts'
import { getServer } from './servers.ts'

/**
 * Asks a server now what it has, with an account that the caller may use outside a session: their own, else the workspace's.
 * `found`: how it was found for them; `health` is how it is for the workspace.
 */
export async function checkServer(
  ctx: Ctx,
  { server }: InMcpServer
): Promise<McpServerOffer & { found: CheckedState }> {
  const place = await placeOf(ctx, server)
  if (place === undefined) throw notFound('MCP server', server)
  const { state } = await askServer(ctx, 'caller', { integration: server, slug: server, ...place })
  return { ...(await getServer(ctx, { server })), found: state }
}
