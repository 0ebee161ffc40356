/** The inspector's tabs, in display order. */
export const inspectTabs = [
  'events',
  'calls',
  'timeline',
  'deliveries',
  'context',
  'prompt',
  'config'
] as const
export type InspectTab = (typeof inspectTabs)[number]

/**
 * The part of a session that its URL selects: `?inspect=events&seq=42`, `?call=…`, `?oob=…`. `prompt` is the
 * ID of the shown prompt. `wide` shows the timeline at full width.
 */
export type SessionLocation = {
  inspect?: InspectTab
  seq?: number
  call?: string
  oob?: string
  prompt?: number
  wide?: true
}

/** Returns the path of a session's page in the playground, at a location in it. */
export const sessionPath = (sessionId: string, location: SessionLocation = {}): string =>
  `/sessions/${encodeURIComponent(sessionId)}${sessionSearch(location)}`

/** Returns the query string that selects a location in a session's page, such as `?call=…`, or an empty string. */
export function sessionSearch(location: SessionLocation): string {
  const query = new URLSearchParams(Object.entries(location).map(([name, value]) => [name, String(value)]))
  return query.size === 0 ? '' : `?${query}`
}
