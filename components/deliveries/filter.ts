/** Which deliveries are looked at. */
export const shownOptions = ['all', 'pending', 'failed', 'delivered'] as const
export type Shown = (typeof shownOptions)[number]

/** What an address asks for (`?state=failed`); all, if that is nothing we know. */
export const shownOf = (state: unknown): Shown => shownOptions.find(option => option === state) ?? 'all'
