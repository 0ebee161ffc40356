import * as z from 'zod/mini'

/** The result of a sub-agent: its last message. `sessionId` is the session with the complete conversation. */
export const SpawnResult = z.object({ sessionId: z.string(), agentId: z.string(), result: z.string() })
export type SpawnResult = z.infer<typeof SpawnResult>
