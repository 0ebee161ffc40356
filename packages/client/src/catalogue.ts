import type { CallOperation } from './call.ts'
import type {
  CatalogueEntry,
  CatalogueItem,
  CreateCatalogueEntry,
  ListCatalogue,
  UpdateCatalogueEntry
} from './types.ts'

/** The tools and skills that agents can use. Not available with a session token. */
export type CatalogueClient = {
  /** Lists the entries without their content. With `archived`, the list includes archived entries. */
  list: (query?: ListCatalogue) => Promise<{ entries: CatalogueItem[] }>
  /** Returns an entry with its content. Without `version` (`v1`), it is the newest version. */
  get: (slug: string, query?: { version?: string }) => Promise<CatalogueEntry>
  /** Adds an entry of the workspace as version `v1`. Needs the role `editor`. */
  create: (entry: CreateCatalogueEntry) => Promise<CatalogueEntry>
  /**
   * Saves the next version. Agents that name a version keep it. If `base` is not the newest version, it rejects
   * with `CONFLICT`. Needs the role `editor`.
   */
  update: (slug: string, entry: UpdateCatalogueEntry) => Promise<CatalogueEntry>
  /** Archives an entry. Agents that use it keep it. Needs the role `editor`. */
  archive: (slug: string) => Promise<CatalogueEntry>
}

export function catalogueOf(call: CallOperation): CatalogueClient {
  return {
    list: (query = {}) => call('listCatalogue', { query }),
    get: (slug, query = {}) => call('getCatalogueEntry', { path: { slug }, query }),
    create: body => call('createCatalogueEntry', { body }),
    update: (slug, body) => call('updateCatalogueEntry', { path: { slug }, body }),
    archive: slug => call('archiveCatalogueEntry', { path: { slug } })
  }
}
