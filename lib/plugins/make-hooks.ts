import type { HookPoint } from '@waystation/protocol/plugin/hook.ts'
import type { HookPayloads } from '#lib/kernel/ports/hooks.ts'
import type { HookContext, Hooks, Plugin } from './plugin.ts'

/** A plugin in an agent's configuration. `plugin` is undefined if the server does not have it. */
export type SelectedPlugin = {
  name: string
  plugin: Plugin | undefined
  config: Record<string, unknown> | undefined
  /** If a hook fails, the agent continues, or the event that the hook checks is canceled. */
  onFailure: 'continue' | 'stop'
}

/** A plugin's hooks for one step. `error` says why there are none. */
export type PluginInstance = Pick<SelectedPlugin, 'name' | 'onFailure'> & { hooks: Hooks; error?: string }

/** Creates a plugin's hooks. Never throws: errors are returned in `error`. */
export async function makeHooks({
  name,
  plugin,
  config,
  onFailure
}: SelectedPlugin): Promise<PluginInstance> {
  const broken = (error: string): PluginInstance => ({ name, onFailure, hooks: {}, error })
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

/** Returns a plugin's hook for a point, or undefined. If it is not a function, calling it throws. */
export const hookOf = <Point extends HookPoint>({ hooks }: PluginInstance, point: Point) =>
  hooks[point] as ((payload: HookPayloads[Point], ctx: HookContext) => unknown) | undefined
