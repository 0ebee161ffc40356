import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * The points of a turn where plugins run (docs/plugins.md), in the order of a turn. `before` and `after` hooks can
 * change or cancel what they receive. They run in the order of the agent's configuration, each on the result of the
 * previous one. `on` hooks only observe. `lib/kernel/ports/hooks.ts` has the input of each point.
 */
export const hookPoints = [
  'onMessage',
  'onStatus',
  'beforeTurn',
  'beforeRound',
  'beforeModel',
  'onChunk',
  'afterModel',
  'beforeTool',
  'beforeHandOff',
  'afterTool',
  'onRound',
  'onTurn'
] as const
export const HookPoint = z.enum(hookPoints)
export type HookPoint = z.infer<typeof HookPoint>

/** A visible effect of a plugin at a hook point: it changed or cancelled something, or failed. */
export const HookRun = z.object({
  plugin: z.string(),
  point: HookPoint,
  outcome: z.enum(['changed', 'cancelled', 'failed']),
  /** Why it cancelled, or the error. */
  words: z.string().optional(),
  /** It failed, and its failures cancel what it should have checked (`onFailure: stop`, `fail_closed`). */
  blocked: z.literal(true).optional(),
  startedAt: Time,
  /** Duration in milliseconds. */
  ms: z.number().min(0)
})
export type HookRun = z.infer<typeof HookRun>
