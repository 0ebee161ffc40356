import { CatalogueOffers, DiscoverCatalogue } from '@waystation/protocol/agent/catalogue-offers.ts'
import { useOf } from '@waystation/protocol/agent/catalogue-use.ts'
import { listCatalogue } from '#lib/agents/catalogue/list.ts'
import type { Tool } from '#lib/tools/tool.ts'

/** The tool by which an agent finds tools and skills for its own configuration: built-in ones and the workspace's own. */
export const discoverCatalog: Tool<DiscoverCatalogue, CatalogueOffers> = {
  name: 'discover_catalog',
  description:
    'List the tools and skills that you can add to your own configuration. To add one, append its value to the list "add_to", and propose that configuration with commit_revision.',
  input: DiscoverCatalogue,
  output: CatalogueOffers,
  where: 'server',
  title: () => 'List available tools and skills',
  timeout: 10,
  repeatable: true,
  execute: async ({ query = '' }, { ctx }) => {
    const { entries } = await listCatalogue(ctx, {})
    const words = query.toLowerCase().split(/\s+/)
    const found = entries.flatMap(item => {
      const use = useOf(item)
      const text = `${item.slug} ${item.name} ${item.description}`.toLowerCase()
      if (use === undefined || item.unavailable || !words.every(word => text.includes(word))) return []
      const { name, description, kind } = item
      return [{ name, description, kind, add_to: `chat.${use.list}`, value: use.value }]
    })
    return { entries: found.slice(0, maxOffers), more: Math.max(0, found.length - maxOffers) }
  }
}

/** The maximum number of entries in a result, because each takes space in the prompt. */
const maxOffers = 50
