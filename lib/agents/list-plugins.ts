import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ListedPlugin } from '#protocol/plugin/listed-plugin.ts'

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
