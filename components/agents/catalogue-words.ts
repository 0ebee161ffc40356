import type { CatalogueItem } from '@waystation/protocol/agent/catalogue.ts'

const kinds = { tool: 'tool', skill: 'skill', overlay: 'overlay' }

/** Most tools run on this server, so its name is left out. */
const places: Partial<Record<NonNullable<CatalogueItem['where']>, string>> = {
  browser: "runs in the user's browser",
  approver: 'asks a person',
  external: 'runs on an external service',
  agent: 'starts an agent'
}

/**
 * Returns the facts of an entry in one line: "greet · tool · v2 · runs on an external service". The slug is left out if
 * it is also the name.
 */
export const factsOf = ({ slug, name, kind, version, where, source, own, archived }: CatalogueItem): string =>
  [
    ...(own ? ['own'] : []),
    ...(slug === name ? [] : [slug]),
    kinds[kind],
    ...(version === undefined ? [] : [version]),
    ...(where === undefined ? [] : (places[where] ?? [])),
    ...(source === undefined ? [] : [`from ${source}`]),
    ...(archived ? ['archived'] : [])
  ].join(' · ')
