import { schemasWith } from '@waystation/json-schemas'
import { wikiEngine } from '@waystation/tiddlywiki'
import { patternsWith } from '#lib/features/approvals/patterns.ts'

/** The parsers of patterns, JSON Schemas and wikis from users. They run in their own threads. */
export type Readers = ReturnType<typeof openReaders>

/** Creates the readers. Each starts its thread with its first request. */
export function openReaders() {
  const [patterns, schemas, wikis] = [patternsWith(), schemasWith(), wikiEngine()]
  return {
    patterns,
    schemas,
    wikis,
    stop: async () => {
      await Promise.all([patterns.stop(), schemas.stop(), wikis.stop()])
    }
  }
}
