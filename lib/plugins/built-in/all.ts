import type { Plugin } from '#lib/plugins/plugin.ts'
import { durationFilter } from './duration-filter.ts'
import { messageManagement } from './message-management.ts'
import { type WikisOf, wikiSearch } from './wiki-search.ts'

/** The plugins that the server brings, which are of the same kind as anybody's; their names are theirs. */
export const builtInPlugins = (wikisOf: WikisOf): Plugin[] =>
  [durationFilter, messageManagement, wikiSearch(wikisOf)] as Plugin[]
