import { z } from 'zod'
import { ApprovalMode } from './agent.ts'
import { CallWhere } from './call.ts'

/** A tool that an agent may be given. `approval`: what happens unless the agent's configuration says otherwise. */
export const ListedTool = z.object({
  name: z.string(),
  description: z.string(),
  where: CallWhere,
  approval: ApprovalMode
})
export type ListedTool = z.infer<typeof ListedTool>
