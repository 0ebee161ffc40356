import { z } from 'zod'
import type { JsonSchema } from './agent.ts'
import { ConfigChange } from './agent-revision.ts'

/** A tool as an MCP server describes it: a stranger's words, cut to a length. Its annotations are not kept: nothing goes by them. */
export type McpTool = {
  name: string
  title?: string
  description: string
  inputSchema: JsonSchema
  /** One of ours, by which what is not a tool of the server is used: which. */
  does?: McpUse
}

/** What an agent can do with a server besides calling its tools, where the server has such things. */
export type McpUse = 'list_resources' | 'read_resource' | 'list_prompts' | 'get_prompt'

/** A tool as it is accepted here; `offered`: as its server describes it by now, which nobody has accepted yet. */
export type AcceptedMcpTool = McpTool & { offered?: McpTool }

/** How an approval shows that a tool is not what it was (001-19). `digest`: of the definition that is accepted with it. */
export const ToolChanged = z.looseObject({
  kind: z.literal('tool-changed'),
  integration: z.string(),
  service: z.string(),
  tool: z.string(),
  digest: z.string(),
  changes: z.array(ConfigChange)
})
export type ToolChanged = z.infer<typeof ToolChanged>

/** The tools of an MCP server for one session; `tools` undefined: nobody here has seen them yet. */
export type McpListing = {
  integration: string
  slug: string
  service: string
  url: string
  /** True: it is a program of this machine (`integration` is its name), and `url` only tells its versions apart. */
  program?: true
  tools: AcceptedMcpTool[] | undefined
}
