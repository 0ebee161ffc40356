import { mcpListing } from '#lib/connections/mcp/list-tools.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RunnableTool } from '#lib/protocol/agent.ts'
import type { McpListing } from '#lib/protocol/mcp.ts'

/**
 * What the MCP servers that an agent's tools name have for this session: asked together, so that the slowest counts alone;
 * with `asks: false`, what is known of them already.
 */
export async function listMcp(
  ctx: Ctx,
  life: { sessionKey: number; generation: number },
  tools: readonly RunnableTool[],
  { asks = true } = {}
): Promise<McpListing[]> {
  const named = new Map(
    tools.flatMap(tool => {
      if (!('mcp' in tool)) return []
      const asked = { integration: tool.mcp, slug: tool.slug ?? tool.mcp }
      return [[JSON.stringify(asked), asked] as const]
    })
  )
  const listings = await Promise.all([...named.values()].map(asked => mcpListing(ctx, life, asked, { asks })))
  return listings.flatMap(listing => listing ?? [])
}
