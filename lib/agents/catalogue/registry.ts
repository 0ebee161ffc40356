import type { CatalogueEntry } from '#lib/protocol/agent/catalogue.ts'
import { buildKitEntry } from './build-kit.ts'
import { connectFirst } from './connect-first.ts'
import { editConfig } from './edit-config.ts'
import { requestConnection } from './request-connection.ts'

/** The entries that come with the server, by slug: a new one is a file and a line here. Nobody changes them. */
export const staticEntries: ReadonlyMap<string, CatalogueEntry> = new Map(
  [requestConnection, connectFirst, editConfig, buildKitEntry].map(entry => [entry.slug, entry])
)
