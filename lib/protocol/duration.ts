import { z } from 'zod'

/**
 * For how many later rounds (calls of the model) something stays in the prompt (001-7): 0 is shown to people and never sent;
 * without one it stays for ever.
 */
export const Duration = z.int().min(0).max(1000)
export type Duration = z.infer<typeof Duration>

/** What a message of a prompt, or a result in it, says of itself to `beforeModel`: its duration, and the rounds since it. */
export type Age = { duration: Duration; rounds: number }

/** Whether the next round is one too many. */
export const isOver = ({ duration, rounds }: Age): boolean => rounds >= duration
