import type { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    /** The tools of this server, with those that are switched off and why. */
    readonly listedTools: ListedTool[]
  }
}

/** Lists the tools of this server, which agents can be given by name. */
export const listTools = async ({ ports }: Ctx): Promise<{ tools: ListedTool[] }> => ({
  tools: ports.listedTools
})
