import { z } from 'zod'
import { AgentId } from './agent.ts'

/** A task for another agent, in a session of its own. */
export const SpawnAgent = z.strictObject({
  task: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe('What it is to do, complete in itself: it knows nothing of this conversation.'),
  context: z.string().max(50_000).optional().describe('What it needs to know for that.'),
  agentId: AgentId.optional().describe('Which agent does it; one like yourself if you leave it out.'),
  background: z
    .boolean()
    .optional()
    .describe(
      'True: you go on at once, and its result reaches you later. Otherwise you wait until it is done.'
    )
})
export type SpawnAgent = z.infer<typeof SpawnAgent>

/** What it came to: the last thing that the sub-agent said. `sessionId`: where all of it stands. */
export const Spawned = z.object({ sessionId: z.string(), agentId: z.string(), result: z.string() })
export type Spawned = z.infer<typeof Spawned>

/** Of a session: how many sub-agents it has, how many of them are at work, and how many calls below wait for somebody. */
export const SubAgentNews = z.object({
  all: z.int().min(0),
  atWork: z.int().min(0),
  waiting: z.int().min(0)
})
export type SubAgentNews = z.infer<typeof SubAgentNews>
