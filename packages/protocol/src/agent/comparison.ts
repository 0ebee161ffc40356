import * as z from 'zod/mini'

/**
 * One difference between two configurations.
 * - `path`: field names, and the label of each list item (a tool's name, a starter's label).
 * - `moved`: a list has the same items in another order. `before` and `after` list their labels.
 */
export const ConfigChange = z.object({
  path: z.array(z.string()),
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown())
})
export type ConfigChange = z.infer<typeof ConfigChange>

/** `widens` has one sentence for each change that lets the agent do more. */
export const Comparison = z.object({ changes: z.array(ConfigChange), widens: z.array(z.string()) })
export type Comparison = z.infer<typeof Comparison>
