import type { Ctx } from '#lib/kernel/ctx.ts'
import { house, type ListedTool } from '#lib/kernel/house.ts'

/** The tools that this server brings and an agent may be given. */
export const listTools = async (_: Ctx): Promise<{ tools: readonly ListedTool[] }> => ({
  tools: house().tools
})
