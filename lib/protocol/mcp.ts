import type { JsonSchema } from './agent.ts'

/** A tool as an MCP server describes it: a stranger's words, cut to a length. */
export type McpTool = {
  name: string
  title?: string
  description: string
  inputSchema: JsonSchema
}
