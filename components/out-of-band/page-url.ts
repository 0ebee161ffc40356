const usual = 24
export const longest = 720

/** The time ranges to select from, in hours, and their labels. */
export const spans: readonly { value: number; label: string }[] = [
  { value: 1, label: '1 h' },
  { value: 24, label: '24 h' },
  { value: 168, label: '7 d' },
  { value: longest, label: '30 d' }
]

/** Returns the time range in a URL (`?hours=168`). Default: a day, also for unknown values. */
export const spanOf = (hours: unknown): number =>
  spans.find(({ value }) => String(value) === hours)?.value ?? usual

/** The views of the page: pairs of sender and receiver, or single messages. */
export const views = [
  { value: 'edges', label: 'Senders' },
  { value: 'messages', label: 'All signals' }
] as const
export type View = (typeof views)[number]['value']

/** Returns the view in a URL (`?view=messages`). Default: `edges`. */
export const viewOf = (view: unknown): View => views.find(({ value }) => value === view)?.value ?? 'edges'

/** Returns the URL of the page with these settings. Defaults are omitted. */
export function addressOf(hours: number, view: View): string {
  const query = new URLSearchParams({
    ...(hours === usual ? {} : { hours: String(hours) }),
    ...(view === 'edges' ? {} : { view })
  })
  return query.size === 0 ? '/activity' : `/activity?${query}`
}
