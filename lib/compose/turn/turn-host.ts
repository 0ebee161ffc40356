import type { RunnableChat } from '@waystation/protocol/agent/agent.ts'
import { isHandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { LanguageModel } from 'ai'
import type { TurnHost } from '#lib/engine/worker/worker-context.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import type { Plugins } from '#lib/plugins/load-plugins.ts'
import { acknowledge } from '#lib/tools/acknowledge.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { bindTurn } from './bind-turn.ts'
import { createSetups } from './setup.ts'

/** The services that turns use, created once in `compose.ts`. */
export type TurnServices = {
  /** Returns the model of an agent. Throws an Error with a sentence for the user if it is not configured. */
  model: (config: RunnableChat, workspaceId: string) => LanguageModel
  /** Returns the cost of one step in US dollars. */
  price: (config: RunnableChat, usage: { inputTokens: number; outputTokens: number }) => number
  describeError: (error: unknown) => ModelProblem
  describeFinish: (reason: string, raw: string | undefined) => ModelProblem | undefined
  /** Time limit for the model to summarize what leaves the prompt, in milliseconds. */
  summaryMs: number
  /** The in-process plugins of this server by name. */
  plugins: Plugins
}

/** Returns the turns of this server for the engine's worker. */
export const turnHost = (
  services: TurnServices,
  tools: ReadonlyMap<string, Tool<never, unknown>>
): TurnHost => {
  const setups = createSetups()
  return {
    bindTurn: (...turn) => bindTurn(services, setups, ...turn),
    describeError: services.describeError,
    isRepeatable(name) {
      // Handoff and acknowledge tools are not in the list of tools.
      if (isHandOff(name)) return true
      return (name === acknowledge.name ? acknowledge : tools.get(name))?.repeatable ?? false
    }
  }
}
