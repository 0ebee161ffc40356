import type { HookPayloads } from '#lib/kernel/ports/hooks.ts'
import type { HookPoint } from '#lib/protocol/plugin/hook.ts'
import type { HookContext, Hooks, Plugin } from './plugin.ts'

/** A plugin as an agent's configuration names it. `plugin` undefined: this server does not have it. */
export type Chosen = {
  name: string
  plugin: Plugin | undefined
  config: Record<string, unknown> | undefined
  /** What becomes of what it cannot judge: it goes on as it is, or not at all. */
  onFailure: 'continue' | 'stop'
}

/** A plugin's hooks for one round; `fault`: why there are none. */
export type Made = Pick<Chosen, 'name' | 'onFailure'> & { hooks: Hooks; fault?: string }

/** Makes a plugin's hooks anew. Whatever is wrong with it is a fault of these, never an exception. */
export async function makeHooks({ name, plugin, config, onFailure }: Chosen): Promise<Made> {
  const broken = (fault: string): Made => ({ name, onFailure, hooks: {}, fault })
  if (plugin === undefined) return broken(`This server has no plugin "${name}".`)
  if (plugin.config === undefined && Object.keys(config ?? {}).length > 0)
    return broken('Its configuration is not valid: this plugin has no configuration.')
  try {
    const checked = await plugin.config?.['~standard'].validate(config ?? {})
    if (checked?.issues !== undefined)
      return broken(
        `Its configuration is not valid: ${checked.issues.map(({ message }) => message).join('; ')}`
      )
    const hooks = plugin.hooks(checked === undefined ? undefined : checked.value)
    return typeof hooks === 'object' && hooks !== null
      ? { name, onFailure, hooks }
      : broken('Its hooks function must return an object of hooks.')
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error))
  }
}

/** What a plugin does at a point, if it steps in there; what is not a function throws when it is called. */
export const hookOf = <Point extends HookPoint>({ hooks }: Made, point: Point) =>
  hooks[point] as ((payload: HookPayloads[Point], ctx: HookContext) => unknown) | undefined
