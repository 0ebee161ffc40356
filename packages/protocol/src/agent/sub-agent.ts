import { z } from 'zod'
import { AgentId } from './agent.ts'

/** Input of `spawn-agent`. The sub-agent works in a session of its own. */
export const SpawnAgent = z.strictObject({
  task: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe(
      'The task. It must make sense on its own, because the sub-agent does not see this conversation.'
    ),
  context: z.string().max(50_000).optional().describe('Background that the sub-agent needs for the task.'),
  agentId: AgentId.optional().describe('The agent that does the task. Default: an agent like yourself.'),
  background: z
    .boolean()
    .optional()
    .describe(
      'If true, you continue at once and receive the result later. Otherwise you wait until the sub-agent is done.'
    )
})
export type SpawnAgent = z.infer<typeof SpawnAgent>

/** Counts for one session: its sub-agents, those at work, and the pending calls in sessions below. */
export const SubAgentNews = z.object({
  all: z.int().min(0),
  atWork: z.int().min(0),
  waiting: z.int().min(0)
})
export type SubAgentNews = z.infer<typeof SubAgentNews>
