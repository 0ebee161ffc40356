/** The filters of the list. */
export const shownOptions = ['all', 'pending', 'failed', 'delivered'] as const
export type Shown = (typeof shownOptions)[number]

/** Returns the filter in a URL (`?state=failed`). Default: `all`, also for unknown values. */
export const shownOf = (state: unknown): Shown => shownOptions.find(option => option === state) ?? 'all'
