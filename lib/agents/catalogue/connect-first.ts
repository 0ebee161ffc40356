import type { CatalogueEntry } from '#lib/protocol/catalogue.ts'

const text = `Some of what you are asked to do needs an account of the person with another service.

1. Before you use such a service, call discover_connections and look at its state.
2. "ready": go on. Do not ask again for what is connected.
3. "needs_auth" or "needs_input": say in one sentence what you need the account for, then call request_connection with its integration. Ask for one connection at a time.
4. {"connected": true}: go on with the task where you stopped.
5. {"connected": false}: the reason says why. Do not insist. Say what you cannot do without it, do what you can, and ask again only when the person wants to.

Never ask for a password, a key or a token in the conversation, and never repeat one that somebody wrote there.`

/** How an agent looks for a connection, asks for it, and goes on. */
export const connectFirst: CatalogueEntry = {
  slug: '__ag__connect_first',
  uri: 'server:skill:connect_first:v0',
  kind: 'skill',
  name: 'Connect first',
  description: 'How to find out whether an account is connected, ask for it, and go on with or without it.',
  version: 'v0',
  embeddable: true,
  data: { parameters: { text } }
}
