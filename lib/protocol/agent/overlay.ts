import { z } from 'zod'
import { AgentOverlay } from './agent.ts'

/** Sets the overlay for the agent of a session, from its next step on (002-8). Null removes it. */
export const LayOverlay = z.object({ sessionId: z.string(), overlay: AgentOverlay.nullable() })
export type LayOverlay = z.infer<typeof LayOverlay>

export const Overlaid = z.object({ sessionId: z.string(), overlaid: z.boolean() })
export type Overlaid = z.infer<typeof Overlaid>
