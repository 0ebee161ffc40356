import { patternsWith } from '#lib/features/approvals/patterns.ts'
import { wikiEngine } from '#lib/features/wikis/engine.ts'
import { schemasWith } from '#lib/kernel/schemas/schemas.ts'

/** What reads the patterns, JSON Schemas and wikis that others wrote, on threads of its own. */
export type Readers = ReturnType<typeof openReaders>

/** Opens readers; each thread begins with its first question. */
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
