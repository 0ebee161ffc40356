import type { CatalogueItem } from '@waystation/protocol/agent/catalogue.ts'
import { wordsOf } from '#components/session/wording/tool-words.ts'

/** Most tools run on this server, so its name is left out. */
const places = {
  browser: "runs in the user's browser",
  approver: 'asks a person',
  external: 'runs on an external service',
  agent: 'starts an agent'
}

/** The descriptions of the sample service are for a model. */
const samples: Record<string, string> = {
  'acme-list-orders': 'Lists the orders of the account at the sample service.',
  'acme-create-order': 'Places an order at the sample service.'
}

/** Returns the name of an entry in lists. A tool has the name by which agents call it, in a monospaced font. */
export const nameOf = ({ toolName, name }: CatalogueItem): string => toolName ?? name

/** Returns the first sentence that describes an entry to people. */
export const lineOf = ({ slug, description = '' }: CatalogueItem): string =>
  samples[slug] ?? wordsOf({ name: slug, description }).line

/** Returns the facts of an entry in one line: "runs on an external service · from orders.ts". */
export const factsOf = ({ where, source, archived }: CatalogueItem): string =>
  [
    ...(where === undefined || where === 'server' ? [] : [places[where]]),
    ...(source === undefined ? [] : [`from ${source}`]),
    ...(archived ? ['archived'] : [])
  ].join(' · ')
