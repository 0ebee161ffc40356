import type { SessionStore } from './session-store.ts'

/**
 * Returns a curl command that prints the events of a session after `after`. On a server, which renders the page
 * before the user can copy the command, its URL is relative.
 */
export function followCurl({ client, path }: Pick<SessionStore, 'client' | 'path'>, after: number): string {
  const href = client.href('followEvents', { path, query: { after } })
  const url = globalThis.location === undefined ? href : new URL(href, globalThis.location.href)
  return `curl -N '${url}' -H "Authorization: Bearer $WAYSTATION_API_KEY"`
}
