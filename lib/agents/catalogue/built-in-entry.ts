import type { OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'
import type { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import { z } from 'zod'

/** Returns the catalog entry of a built-in tool, which agents use by its name. `input` is the schema of its arguments. */
export const builtInEntry = (tool: ListedTool, input?: z.ZodType): OfferedEntry => ({
  slug: tool.name,
  uri: `${tool.where}:tool:${tool.name}`,
  kind: 'tool',
  toolName: tool.name,
  ...tool,
  embeddable: false,
  data: {
    parameters: {
      tool: input ? { ...tool, inputSchema: { ...z.toJSONSchema(input, { io: 'input' }) } } : tool
    }
  }
})
