import { z } from 'zod'
import { Time } from '#lib/protocol/time.ts'

/**
 * Where plugins step into a turn (docs/plugins.md), in the order in which a turn comes by. The name tells the power: `before` and
 * `after` may change what they are given or cancel it, and run in the order of the agent's configuration, each on what the one
 * ahead of it made of it; `on` only watches. This is the one list: `lib/kernel/ports/hooks.ts` has what each is given.
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

/** What a plugin did at one of them, where that is to be seen: it changed or cancelled something, or failed. */
export const HookRun = z.object({
  plugin: z.string(),
  point: HookPoint,
  outcome: z.enum(['changed', 'cancelled', 'failed']),
  /** Why it cancelled, or what went wrong. */
  words: z.string().optional(),
  startedAt: Time,
  /** How long it took, in milliseconds. */
  ms: z.number().min(0)
})
export type HookRun = z.infer<typeof HookRun>
