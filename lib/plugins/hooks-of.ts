import { noHooks, type RoundHooks, type TellHook } from '#lib/kernel/ports/hooks.ts'
import type { HostedPlugin } from '#lib/kernel/ports/plugin-host.ts'
import type { AgentPlugin } from '#lib/protocol/agent/agent.ts'
import { hostedHooks } from './lifecycle/hosted-hooks.ts'
import type { Plugins } from './load-plugins.ts'
import type { Chosen } from './make-hooks.ts'
import type { HookContext } from './plugin.ts'
import { roundHooks } from './round-hooks.ts'

/**
 * The hooks of a round of an agent: of the plugins that its configuration names, and behind them of the workspace's own in other
 * languages, in the order of its file, which have the last word. An agent without any costs nothing.
 */
export async function hooksOf(
  plugins: Plugins,
  wanted:
    | readonly (Pick<AgentPlugin, 'name' | 'onFailure'> & Pick<Partial<AgentPlugin>, 'config'>)[]
    | undefined,
  about: Omit<HookContext, 'signal' | 'actions'>,
  around: { signal: AbortSignal; tell: TellHook },
  hosted: readonly HostedPlugin[] = []
): Promise<RoundHooks> {
  const chosen: Chosen[] = [
    ...(wanted ?? []).map(({ name, config, onFailure }) => ({
      name,
      plugin: plugins.get(name),
      config,
      onFailure
    })),
    ...hosted.filter(({ events }) => events.length > 0).map(chosenOf)
  ]
  return chosen.length === 0 ? noHooks : roundHooks(chosen, about, around)
}

const chosenOf = (plugin: HostedPlugin): Chosen => ({
  name: plugin.name,
  plugin: hostedHooks(plugin),
  config: undefined,
  onFailure: plugin.failClosed ? 'stop' : 'continue'
})
