import { length } from '#components/browser/format-time.ts'

/**
 * Describes a restart: "The server restarted (12 s). Nothing was lost." `ms` is the outage in milliseconds; 0
 * if unknown.
 */
export const restartedWords = (ms: number): string =>
  `The server restarted${ms === 0 ? '' : ` (${length(ms)})`}. Nothing was lost.`
