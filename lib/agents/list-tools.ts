import type { Ctx } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { ListedTool } from '#lib/protocol/agent/listed-tool.ts'

/** Lists the built-in tools that agents can have. */
export const listTools = async (_: Ctx): Promise<{ tools: ListedTool[] }> => ({ tools: runtime().tools })
