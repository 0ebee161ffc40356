import type { HostedPlugin } from '@waystation/plugin-host/contract.ts'
import type { AgentPlugin } from '@waystation/protocol/agent/agent.ts'
import { noHooks, type RoundHooks } from '#lib/kernel/ports/hooks.ts'
import { hostedHooks } from './lifecycle/hosted-hooks.ts'
import type { Plugins } from './load-plugins.ts'
import type { SelectedPlugin } from './make-hooks.ts'
import type { HookContext } from './plugin.ts'
import { type HookOptions, roundHooks } from './round-hooks.ts'

/**
 * Returns the hooks of one step of an agent: first the plugins from its configuration, then the workspace's
 * gRPC plugins in the order of the workspace file. Later plugins see the changes of earlier ones. Returns
 * `noHooks` if the agent has no plugins.
 */
export async function hooksOf(
  plugins: Plugins,
  configured:
    | readonly (Pick<AgentPlugin, 'name' | 'onFailure'> & Pick<Partial<AgentPlugin>, 'config'>)[]
    | undefined,
  context: Omit<HookContext, 'signal' | 'actions'>,
  options: HookOptions,
  hosted: readonly HostedPlugin[] = []
): Promise<RoundHooks> {
  const selected: SelectedPlugin[] = [
    ...(configured ?? []).map(({ name, config, onFailure }) => ({
      name,
      plugin: plugins.get(name),
      config,
      onFailure
    })),
    ...hosted.filter(({ events }) => events.length > 0).map(selectHosted)
  ]
  return selected.length === 0 ? noHooks : roundHooks(selected, context, options)
}

const selectHosted = (plugin: HostedPlugin): SelectedPlugin => ({
  name: plugin.name,
  plugin: hostedHooks(plugin),
  config: undefined,
  onFailure: plugin.failClosed ? 'stop' : 'continue'
})
