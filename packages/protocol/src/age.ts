import type { Duration } from './duration.ts'

/**
 * The age of a prompt message or result, as `beforeModel` hooks see it: its duration, and the number of steps since.
 */
export type Age = { duration: Duration; rounds: number }

/** True if the duration has passed before the next step. */
export const isOver = ({ duration, rounds }: Age): boolean => rounds >= duration
