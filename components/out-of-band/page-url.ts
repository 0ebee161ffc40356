/** The time ranges to select from, in hours, and their labels. */
export const spans = [
  { hours: 1, label: '1 h' },
  { hours: 24, label: '24 h' },
  { hours: 168, label: '7 d' },
  { hours: 720, label: '30 d' }
] as const
const usual = 24

/** Returns the time range in a URL (`?hours=168`). Default: a day, also for unknown values. */
export const spanOf = (hours: unknown): number =>
  spans.find(span => String(span.hours) === hours)?.hours ?? usual

/** The views of the page: pairs of sender and receiver, or single messages. */
export const views = ['edges', 'messages'] as const
export type View = (typeof views)[number]

/** Returns the view in a URL (`?view=messages`). Default: `edges`. */
export const viewOf = (view: unknown): View => views.find(one => one === view) ?? 'edges'

/** Returns the URL of the page with these settings. Defaults are omitted. */
export function addressOf(hours: number, view: View): string {
  const query = new URLSearchParams({
    ...(hours === usual ? {} : { hours: String(hours) }),
    ...(view === 'edges' ? {} : { view })
  })
  return query.size === 0 ? '/out-of-band' : `/out-of-band?${query}`
}
