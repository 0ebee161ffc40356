import type { CatalogueItem } from '@waystation/protocol/agent/catalogue.ts'

/** Most tools run on this server, so its name is left out. */
const places = {
  browser: "runs in the user's browser",
  approver: 'asks a person',
  external: 'runs on an external service',
  agent: 'starts an agent'
}

/**
 * Returns the facts of an entry in one line: "greet · v2 · runs on an external service". The slug is left out if
 * it is also the name.
 */
export const factsOf = ({ slug, name, version, where, source, archived }: CatalogueItem): string =>
  [
    ...(slug === name ? [] : [slug]),
    ...(version === undefined ? [] : [version]),
    ...(where === undefined || where === 'server' ? [] : [places[where]]),
    ...(source === undefined ? [] : [`from ${source}`]),
    ...(archived ? ['archived'] : [])
  ].join(' · ')
