import { z } from 'zod'
import { AgentOverlay } from './agent.ts'

/** Sets the overlay for the agent of a session, from its next step on (002-8). Null removes it. */
export const SetOverlay = z.object({ sessionId: z.string(), overlay: AgentOverlay.nullable() })
export type SetOverlay = z.infer<typeof SetOverlay>

export const OverlayState = z.object({ sessionId: z.string(), overlaid: z.boolean() })
export type OverlayState = z.infer<typeof OverlayState>
