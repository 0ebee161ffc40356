import type { Ctx } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { ListedPlugin } from '#lib/protocol/plugin/listed-plugin.ts'

/** Lists the server's plugins that agents can enable. */
export const listPlugins = async (_: Ctx): Promise<{ plugins: ListedPlugin[] }> => ({
  plugins: runtime().plugins
})
