import { z } from 'zod'
import { CallWhere } from '#lib/protocol/call/call.ts'
import { ApprovalMode } from './agent.ts'

/**
 * A tool that an agent may be given. `approval`: what happens unless the agent's configuration says otherwise; `alwaysAsked`:
 * nothing says otherwise. `unavailable`: why this server does not run it.
 */
export const ListedTool = z.object({
  name: z.string(),
  description: z.string(),
  where: CallWhere,
  approval: ApprovalMode,
  alwaysAsked: z.literal(true).optional(),
  unavailable: z.string().optional()
})
export type ListedTool = z.infer<typeof ListedTool>
