import type { LanguageModel } from 'ai'
import type { TurnHost } from '#lib/engine/worker/worker-context.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import type { Plugins } from '#lib/plugins/load-plugins.ts'
import type { RunnableChat } from '#lib/protocol/agent/agent.ts'
import { isHandOff } from '#lib/protocol/agent/hand-off.ts'
import { acknowledge } from '#lib/tools/acknowledge.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { bindTurn } from './bind-turn.ts'

/** What a turn needs of the world outside: bound once, in `compose.ts`. */
export type TurnServices = {
  /** The model that an agent of a workspace names. Throws a sentence for a person when it is not configured. */
  model: (config: RunnableChat, workspaceId: string) => LanguageModel
  /** US dollars of a step. */
  price: (config: RunnableChat, usage: { inputTokens: number; outputTokens: number }) => number
  describeError: (error: unknown) => ModelProblem
  describeFinish: (reason: string, raw: string | undefined) => ModelProblem | undefined
  /** How long a model may take to sum up what leaves the prompt, in milliseconds. */
  summaryMs: number
  /** Those that agents may be given on this server, by name. */
  plugins: Plugins
}

/** Gives the engine's worker the turns of this server. */
export const turnHost = (
  services: TurnServices,
  tools: ReadonlyMap<string, Tool<never, unknown>>
): TurnHost => ({
  bindTurn: (...turn) => bindTurn(services, ...turn),
  describeError: services.describeError,
  isRepeatable(name) {
    // Handing over and acknowledging are tools that no agent is given by name.
    if (isHandOff(name)) return true
    return (name === acknowledge.name ? acknowledge : tools.get(name))?.repeatable ?? false
  }
})
