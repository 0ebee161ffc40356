import type { Plugin } from '#lib/plugins/plugin.ts'
import { durationFilter } from './duration-filter.ts'
import { messageManagement } from './message-management.ts'
import { type WikisOf, wikiSearch } from './wiki-search.ts'

/**
 * Returns the built-in plugins. Agents refer to them by the same names as to any other plugin, so no other
 * plugin can use those names.
 */
export const builtInPlugins = (wikisOf: WikisOf): Plugin[] =>
  [durationFilter, messageManagement, wikiSearch(wikisOf)] as Plugin[]
