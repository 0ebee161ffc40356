import type { CatalogueEntry } from '@waystation/protocol/agent/catalogue.ts'
import type { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'

/** Returns the catalog entry of a built-in tool, which agents use by its name. */
export const builtInEntry = (tool: ListedTool): CatalogueEntry => ({
  slug: tool.name,
  uri: `${tool.where}:tool:${tool.name}`,
  kind: 'tool',
  ...tool,
  embeddable: false,
  data: { parameters: { tool } }
})
