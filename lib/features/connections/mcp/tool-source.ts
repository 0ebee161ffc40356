import type { ToolSource } from '#lib/tools/registry.ts'
import { listMcp } from './list-mcp.ts'
import { mcpTools } from './mcp-tools.ts'

/** The tools of the MCP servers that an agent names. */
export const mcpSource: ToolSource = async (ctx, life, chat, { asksMcp }) => {
  if (!chat.tools.some(tool => 'mcp' in tool)) return undefined
  const listings = await listMcp(ctx, life, chat.tools, { asks: asksMcp })
  return { of: config => ('mcp' in config ? mcpTools(config, listings) : undefined) }
}
