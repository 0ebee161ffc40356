import type { CatalogueUser, OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'
import { catalogueReferences, unversioned } from '@waystation/protocol/agent/catalogue-use.ts'
import { listAgents } from '#lib/agents/list.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns a function that finds the agents whose published configuration uses an entry, by name. An agent that names
 * several versions is listed once for each.
 */
export async function usersOf(ctx: Ctx): Promise<(entry: OfferedEntry) => CatalogueUser[]> {
  const { agents } = await listAgents(ctx, {})
  const users = agents.map(agent => ({ agent, references: catalogueReferences(agent) }))
  return ({ slug, uri }) =>
    users.flatMap(({ agent: { agentId, displayName }, references }) => {
      const own = references.filter(({ key }) => key === slug || key === unversioned(uri))
      return [...new Set(own.map(({ version }) => version))].map(version => ({
        agentId,
        displayName,
        ...(version === undefined ? {} : { version })
      }))
    })
}
