import type { Ctx } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { ListedTool } from '#lib/protocol/agent/listed-tool.ts'

/** The tools that this server brings and an agent may be given. */
export const listTools = async (_: Ctx): Promise<{ tools: ListedTool[] }> => ({ tools: runtime().tools })
