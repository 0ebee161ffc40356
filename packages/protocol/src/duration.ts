import { z } from 'zod'

/**
 * How many later steps something stays in the prompt (001-7). At 0, people see it and the model never does. Absent:
 * forever.
 */
export const Duration = z.int().min(0).max(1000)
export type Duration = z.infer<typeof Duration>
