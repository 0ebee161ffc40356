import { z } from 'zod'
import { InputSchema } from '#lib/protocol/agent.ts'
import type { McpTool } from '#lib/protocol/mcp.ts'

const Told = z.looseObject({
  name: z.string().min(1).max(128),
  title: z.string().optional(),
  description: z.string().default(''),
  inputSchema: InputSchema
})

/** The longest that a description is, and all of a list together, in characters. */
const longestDescription = 4000
const longestList = 512 * 1024

/** Of what a server told, the tools that can be used: one whose schema nobody can check by is left out, and so is what is too much. */
export function keptOf(told: readonly unknown[]): McpTool[] {
  const tools: McpTool[] = []
  let left = longestList
  for (const one of told) {
    const parsed = Told.safeParse(one)
    if (!parsed.success) continue
    const { name, title, description, inputSchema } = parsed.data
    const tool: McpTool = {
      name,
      ...(title === undefined ? {} : { title: title.slice(0, 80) }),
      description: description.slice(0, longestDescription),
      inputSchema
    }
    left -= JSON.stringify(tool).length
    if (left < 0) break
    tools.push(tool)
  }
  return tools
}
