import { hookPoints } from '@waystation/protocol/plugin/hook.ts'
import type { Plugin } from '#lib/plugins/plugin.ts'

/** Ten plugins, each with a hook at every point that returns nothing. */
export const tenPlugins: ReadonlyMap<string, Plugin> = new Map(
  Array.from({ length: 10 }, (_, n) => {
    const hooks = Object.fromEntries(hookPoints.map(point => [point, () => undefined]))
    return [`plugin-${n}`, { name: `plugin-${n}`, hooks: () => hooks }] as const
  })
)
