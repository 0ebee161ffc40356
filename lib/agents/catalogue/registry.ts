import type { OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'
import { buildKitEntry } from './build-kit.ts'
import { connectFirst } from './connect-first.ts'
import { editConfig } from './edit-config.ts'
import { requestConnection } from './request-connection.ts'

/** The static entries by slug. To add one, create a file and list it here. Users cannot change them. */
export const staticEntries: ReadonlyMap<string, OfferedEntry> = new Map(
  [requestConnection, connectFirst, editConfig, buildKitEntry].map(entry => [entry.slug, entry])
)
