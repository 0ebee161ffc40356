/** How far back one looks, in hours, and how that is called. */
export const spans = [
  { hours: 1, label: '1 h' },
  { hours: 24, label: '24 h' },
  { hours: 168, label: '7 d' },
  { hours: 720, label: '30 d' }
] as const
const usual = 24

/** What an address asks for (`?hours=168`); a day, if that is nothing we know. */
export const spanOf = (hours: unknown): number =>
  spans.find(span => String(span.hours) === hours)?.hours ?? usual

/** Either who tells whom, or each message. */
export const views = ['edges', 'messages'] as const
export type View = (typeof views)[number]

/** What an address asks for (`?view=messages`). */
export const viewOf = (view: unknown): View => views.find(one => one === view) ?? 'edges'

/** The address of what is shown. */
export function addressOf(hours: number, view: View): string {
  const query = new URLSearchParams({
    ...(hours === usual ? {} : { hours: String(hours) }),
    ...(view === 'edges' ? {} : { view })
  })
  return query.size === 0 ? '/out-of-band' : `/out-of-band?${query}`
}
