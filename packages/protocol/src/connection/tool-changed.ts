import { ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import * as z from 'zod/mini'

/**
 * The render hint of an approval for a tool whose definition changed (001-19). `digest` identifies the new definition,
 * which is accepted with the call.
 */
export const ToolChanged = z.looseObject({
  kind: z.literal('tool-changed'),
  integration: z.string(),
  service: z.string(),
  tool: z.string(),
  digest: z.string(),
  changes: z.array(ConfigChange)
})
export type ToolChanged = z.infer<typeof ToolChanged>
