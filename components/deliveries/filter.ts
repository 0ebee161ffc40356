/** The filters of the list. `nothing` is the text of an empty list. */
export const filters = [
  {
    value: 'all',
    label: 'All',
    nothing:
      'No deliveries yet. This page lists webhooks and messages to external systems. To start, add a webhook in Settings.'
  },
  { value: 'pending', label: 'Pending', nothing: 'No pending deliveries.' },
  {
    value: 'failed',
    label: 'Failed',
    nothing:
      'No failed deliveries. When all retries of a delivery fail, you can send it again from this page.'
  },
  { value: 'delivered', label: 'Delivered', nothing: 'Nothing has been delivered yet.' }
] as const
export type Shown = (typeof filters)[number]['value']

/** Returns the filter in a URL (`?state=failed`). Default: `all`, also for unknown values. */
export const shownOf = (state: unknown): Shown => filters.find(({ value }) => value === state)?.value ?? 'all'
