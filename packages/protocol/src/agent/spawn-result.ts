import * as z from 'zod/mini'

/**
 * The result of a sub-agent: the text of its last message, or the text or JSON with which an external agent finished.
 * `sessionId` is the session with the complete conversation.
 */
export const SpawnResult = z.object({ sessionId: z.string(), agentId: z.string(), result: z.unknown() })
export type SpawnResult = z.infer<typeof SpawnResult>
