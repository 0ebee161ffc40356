import { z } from 'zod'
import { AgentOverlay } from './agent.ts'

/** What a session's turns lay over their agent from its next step (002-8); null: nothing. */
export const LayOverlay = z.object({ sessionId: z.string(), overlay: AgentOverlay.nullable() })
export type LayOverlay = z.infer<typeof LayOverlay>

export const Overlaid = z.object({ sessionId: z.string(), overlaid: z.boolean() })
export type Overlaid = z.infer<typeof Overlaid>
