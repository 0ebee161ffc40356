import type { RunnableTool } from '@waystation/protocol/agent/agent.ts'
import type { CallAccount } from '@waystation/protocol/call/answer-policy.ts'
import type { McpListing } from '@waystation/protocol/connection/mcp.ts'
import { accountOwnerOfTurn } from '#lib/features/connections/account-owner.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { mcpListing } from './list-tools.ts'

/**
 * Returns the tools of the MCP servers that an agent's config names, with the account that a call of this
 * turn can use without approval (`accountOfList`). Servers are asked in parallel, so only the slowest one
 * counts. With `queryServers: false`, returns the stored lists.
 */
export async function listMcp(
  ctx: Ctx,
  session: { sessionKey: number; generation: number },
  tools: readonly RunnableTool[],
  { queryServers = true } = {}
): Promise<McpListing[]> {
  const servers = new Map(
    tools.flatMap(tool => {
      if (!('mcp' in tool)) return []
      const server = { integration: tool.mcp, slug: tool.slug ?? tool.mcp }
      return [[JSON.stringify(server), server] as const]
    })
  )
  if (servers.size === 0) return []
  const requester = { ...session, account: await accountOfList(ctx, session) }
  const listings = await Promise.all(
    [...servers.values()].map(server => mcpListing(ctx, requester, server, { queryServers }))
  )
  return listings.flatMap(listing => listing ?? [])
}

/**
 * Returns the user whose own account lists the tools for a turn: the only user who asked for it. Null if
 * several users asked for the turn or none has accounts. Then the session's or the workspace's account is
 * used.
 */
export async function accountOfList(
  ctx: Ctx,
  { sessionKey }: { sessionKey: number }
): Promise<CallAccount | null> {
  const account = await accountOwnerOfTurn(ctx, { sessionKey, workspaceId: ctx.workspaceId })
  return account === undefined || account.others !== undefined ? null : { ...account, approved: false }
}
