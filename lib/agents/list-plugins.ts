import type { Ctx } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { ListedPlugin } from '#lib/protocol/plugin/listed-plugin.ts'

/** The plugins that this server has and an agent may switch on. */
export const listPlugins = async (_: Ctx): Promise<{ plugins: ListedPlugin[] }> => ({
  plugins: runtime().plugins
})
