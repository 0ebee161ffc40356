import { ToolWhere } from '@waystation/protocol/call/call.ts'
import { z } from 'zod'
import { ApprovalMode } from './agent.ts'

/**
 * A tool that can be enabled for an agent.
 * - `approval`: the default for agents that do not configure it.
 * - `alwaysAsked`: no configuration can turn approval off.
 * - `source`: the file or in-process plugin of the operator that defines it. Absent: it is built in.
 * - `unavailable`: the reason why this server cannot run it.
 */
export const ListedTool = z.object({
  name: z.string(),
  description: z.string(),
  where: ToolWhere,
  approval: ApprovalMode,
  alwaysAsked: z.literal(true).optional(),
  source: z.string().optional(),
  unavailable: z.string().optional()
})
export type ListedTool = z.infer<typeof ListedTool>
