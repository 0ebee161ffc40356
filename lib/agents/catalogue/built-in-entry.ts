import type { CatalogueEntry } from '#lib/protocol/agent/catalogue.ts'
import type { ListedTool } from '#lib/protocol/agent/listed-tool.ts'

/** A tool that the server brings, as the catalogue lists it: an agent has it by its name. */
export const builtInEntry = (tool: ListedTool): CatalogueEntry => ({
  slug: tool.name,
  uri: `${tool.where}:tool:${tool.name}`,
  kind: 'tool',
  ...tool,
  embeddable: false,
  data: { parameters: { tool } }
})
