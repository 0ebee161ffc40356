/** The filters of the list. `nothing` is the title of an empty list, and `about` the sentence below it. */
export const filters = [
  {
    value: 'all',
    label: 'All',
    nothing: 'No deliveries yet',
    about: 'Webhooks and messages to external systems appear here.'
  },
  { value: 'pending', label: 'Pending', nothing: 'No pending deliveries', about: undefined },
  {
    value: 'failed',
    label: 'Failed',
    nothing: 'No failed deliveries',
    about: 'If all retries of a delivery fail, you can send it again here.'
  },
  { value: 'delivered', label: 'Delivered', nothing: 'Nothing has been delivered yet', about: undefined }
] as const
export type Shown = (typeof filters)[number]['value']

/** Returns the filter in a URL (`?state=failed`). Default: `all`, also for unknown values. */
export const shownOf = (state: unknown): Shown => filters.find(({ value }) => value === state)?.value ?? 'all'
