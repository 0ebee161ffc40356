import { accountOfTurn } from '#lib/engine/calls/account-of-call.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RunnableTool } from '#lib/protocol/agent/agent.ts'
import type { CallAccount } from '#lib/protocol/call/answerers.ts'
import type { McpListing } from '#lib/protocol/connection/mcp.ts'
import { mcpListing } from './list-tools.ts'

/**
 * What the MCP servers that an agent's tools name have for this session, with the account that a call of this turn could use
 * unasked (`accountOfList`): asked together, so that the slowest counts alone; with `asks: false`, what is known of them already.
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
  if (named.size === 0) return []
  const whose = { ...life, account: await accountOfList(ctx, life) }
  const listings = await Promise.all(
    [...named.values()].map(asked => mcpListing(ctx, whose, asked, { asks }))
  )
  return listings.flatMap(listing => listing ?? [])
}

/**
 * Whose own account lists the tools of MCP servers for a turn: that of the one person who asked for it. Null, where several people
 * asked for the turn or nobody with accounts did: then it is the session's or the workspace's.
 */
export async function accountOfList(
  ctx: Ctx,
  { sessionKey }: { sessionKey: number }
): Promise<CallAccount | null> {
  const account = await accountOfTurn(ctx, { sessionKey, workspaceId: ctx.workspaceId })
  return account === undefined || account.others !== undefined ? null : { ...account, approved: false }
}
