import type { OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'

const text = `Some tasks need the user's account with another service.

1. Before you use such a service, call discover_connections and check its state.
2. If the state is "ready", continue. Do not request a connection that exists.
3. If the state is "needs_auth" or "needs_input", say in one sentence why you need the account. Then call request_connection with its integration. Request one connection at a time.
4. If the result is {"connected": true}, continue the task where you stopped.
5. If the result is {"connected": false}, read its reason. Do not insist. Say what you cannot do without the account, and do the rest. Request the connection again only if the user wants it.

Never ask for a password, key or token in the conversation. Never repeat one that appears there.`

/** The skill of checking for a connection, requesting it and continuing. */
export const connectFirst: OfferedEntry = {
  slug: '__ag__connect_first',
  uri: 'server:skill:connect_first:v0',
  kind: 'skill',
  name: 'Connect first',
  description: 'Explains how an agent checks for a connected account and requests one.',
  version: 'v0',
  embeddable: true,
  data: { parameters: { text } }
}
