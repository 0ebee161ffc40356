/** The inspector's tabs, in display order. */
export const inspectTabs = ['trace', 'prompt', 'context', 'config', 'deliveries'] as const
export type InspectTab = (typeof inspectTabs)[number]

/** Returns the tab with this name in a URL. Links of earlier versions name tabs that the trace has replaced. */
export const inspectTabOf = (name: string | null): InspectTab | undefined =>
  /^(events|calls|timeline)$/.test(name ?? '') ? 'trace' : inspectTabs.find(tab => tab === name)

/**
 * The part of a session that its URL selects: `?inspect=trace&seq=42`, `?call=…`, `?oob=…`. `prompt` is the
 * ID of the shown prompt. `wide` shows the trace at full width.
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
  // JSON has no undefined members.
  const query = new URLSearchParams(JSON.parse(JSON.stringify(location)))
  return query.size === 0 ? '' : `?${query}`
}
