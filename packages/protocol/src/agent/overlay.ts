import { z } from 'zod'
import { AgentOverlay } from './agent.ts'

/**
 * Sets the overlay for the agent of a session, from its next step on (002-8). Null removes it. `buildKit` adds the tools
 * and skills of the build kit to the session's overlay, or removes only them.
 */
export const SetOverlay = z
  .object({
    sessionId: z.string(),
    overlay: AgentOverlay.nullable().optional(),
    buildKit: z.boolean().optional()
  })
  .refine(({ overlay, buildKit }) => (overlay === undefined) !== (buildKit === undefined), {
    path: ['overlay'],
    error: 'give either overlay or buildKit'
  })
export type SetOverlay = z.infer<typeof SetOverlay>

/** `buildKit`: the overlay contains the complete build kit. */
export const OverlayState = z.object({ sessionId: z.string(), overlaid: z.boolean(), buildKit: z.boolean() })
export type OverlayState = z.infer<typeof OverlayState>
