import type { SessionStore } from './session-store.ts'

/** Returns a curl command that prints the events of a session after `after`. */
export function followCurl({ client, path }: Pick<SessionStore, 'client' | 'path'>, after: number): string {
  const url = new URL(client.href('followEvents', { path, query: { after } }), globalThis.location?.href)
  return `curl -N '${url}' -H "Authorization: Bearer $WAYSTATION_API_KEY"`
}
