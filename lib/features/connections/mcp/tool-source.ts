import type { ToolSource } from '#lib/tools/registry.ts'
import { listMcp } from './list-mcp.ts'
import { mcpTools } from './mcp-tools.ts'

/** Provides the tools of the MCP servers that an agent's config names. */
export const mcpSource: ToolSource = async (ctx, session, chat, { queryMcp }) => {
  if (!chat.tools.some(tool => 'mcp' in tool)) return undefined
  const listings = await listMcp(ctx, session, chat.tools, { queryServers: queryMcp })
  return { forEntry: config => ('mcp' in config ? mcpTools(config, listings) : undefined) }
}
