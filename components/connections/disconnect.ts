import type { Connection } from '@waystation/protocol/connection/connection.ts'

/** `revoke` disconnects the account. `delete` also removes the connection from the list. */
export type End = 'revoke' | 'delete'

/**
 * Returns the display name of a connection, such as "GitHub (ada)". If the connection has its own name, it is
 * included: "GitHub (ada, github-work)".
 */
export const nameOf = ({ service, account, integration, slug }: Connection): string => {
  const names = [account, slug === integration ? undefined : slug].filter(name => name !== undefined)
  return names.length === 0 ? service : `${service} (${names.join(', ')})`
}

/** Returns the text of the confirmation, which describes the effect of revoking or deleting a connection. */
export function warningOf(end: End, { state, mode, service }: Connection): string {
  if (state === 'revoked') return 'This connection is already revoked. Deleting it removes it from this list.'
  const there =
    mode === 'oauth'
      ? `Access is also revoked at ${service}, if possible.`
      : `The token or key stays valid at ${service} until you revoke it there.`
  return `Agents can't use the account from now on, not even in a running turn. ${there}${end === 'delete' ? ' The connection is removed from this list.' : ''}`
}

/** Returns the text that reports the outcome, on this server and at the provider. */
export function outcomeOf(end: End, connection: Connection, atProvider: 'revoked' | 'unknown'): string {
  const { state, mode, service } = connection
  const here = `${nameOf(connection)} was ${end === 'delete' ? 'deleted' : 'revoked'}`
  if (state === 'revoked') return `${here}.`
  if (atProvider === 'revoked') return `${here}, also at ${service}.`
  if (mode === 'api_key')
    return `${here}. The token or key is still valid at ${service}, so revoke it there too.`
  return `${here}. Access at ${service} couldn't be revoked, so revoke it there too.`
}
