import { notFound } from '@waystation/base/api-error.ts'
import type { CheckedState, InMcpServer, McpServerOffer } from '@waystation/protocol/connection/mcp.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { askServer } from './ask-server.ts'
import { placeOf } from './location.ts'
import { getServer } from './servers.ts'

/**
 * Checks a server now with an account that the caller can use outside a session: their own, or else the
 * workspace's. `found` is the result for the caller, and `health` is the state for the workspace.
 */
export async function checkServer(
  ctx: Ctx,
  { server }: InMcpServer
): Promise<McpServerOffer & { found: CheckedState }> {
  const location = await placeOf(ctx, server)
  if (location === undefined) throw notFound('MCP server', server)
  const { state } = await askServer(ctx, 'caller', { integration: server, slug: server, ...location })
  return { ...(await getServer(ctx, { server })), found: state }
}
