import { noHooks, type RoundHooks, type TellHook } from '#lib/kernel/hooks.ts'
import type { AgentPlugin } from '#lib/protocol/agent.ts'
import type { Plugins } from './load-plugins.ts'
import type { HookContext } from './plugin.ts'
import { roundHooks } from './round-hooks.ts'

/** The hooks of a round of an agent, by its configuration; an agent without plugins costs nothing. */
export async function hooksOf(
  plugins: Plugins,
  wanted:
    | readonly (Pick<AgentPlugin, 'name' | 'onFailure'> & Pick<Partial<AgentPlugin>, 'config'>)[]
    | undefined,
  about: Omit<HookContext, 'signal' | 'actions'>,
  around: { signal: AbortSignal; tell: TellHook }
): Promise<RoundHooks> {
  if (wanted === undefined || wanted.length === 0) return noHooks
  const chosen = wanted.map(({ name, config, onFailure }) => ({
    name,
    plugin: plugins.get(name),
    config,
    onFailure
  }))
  return roundHooks(chosen, about, around)
}
