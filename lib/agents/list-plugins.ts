import type { ListedPlugin } from '@waystation/protocol/plugin/listed-plugin.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    /** The in-process plugins that an agent can switch on. */
    readonly listedPlugins: ListedPlugin[]
  }
}

/** Lists the in-process plugins that an agent can switch on. */
export const listPlugins = async ({ ports }: Ctx): Promise<{ plugins: ListedPlugin[] }> => ({
  plugins: ports.listedPlugins
})
