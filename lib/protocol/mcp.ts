import type { JsonSchema } from './agent.ts'

/** A tool as an MCP server describes it: a stranger's words, cut to a length. Its annotations are not kept: nothing goes by them. */
export type McpTool = {
  name: string
  title?: string
  description: string
  inputSchema: JsonSchema
}

/** The tools of an MCP server for one session; `tools` undefined: nobody here has seen them yet. */
export type McpListing = {
  integration: string
  slug: string
  service: string
  url: string
  /** True: it is a program of this machine (`integration` is its name), and `url` only tells its versions apart. */
  program?: true
  tools: McpTool[] | undefined
}
