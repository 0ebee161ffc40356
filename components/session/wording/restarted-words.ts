import { length } from '#components/browser/format-time.ts'

/** "The server restarted (12 s). Nothing was lost." `ms`: how long it was away; 0: not known. */
export const restartedWords = (ms: number): string =>
  `The server restarted${ms === 0 ? '' : ` (${length(ms)})`}. Nothing was lost.`
