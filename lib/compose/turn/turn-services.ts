import type { RunnableChat } from '@waystation/protocol/agent/agent.ts'
import type { LanguageModel } from 'ai'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import type { OriginOf } from '#lib/models/providers/plugin.ts'
import type { Plugins } from '#lib/plugins/load-plugins.ts'

/** The services that turns use, created once in `compose.ts`. */
export type TurnServices = {
  /** Returns the model of an agent. Throws an Error with a sentence for the user if it is not configured. */
  model: (config: RunnableChat, workspaceId: string, originOf?: OriginOf) => LanguageModel
  /** Returns the concrete `provider/model` of a model name, which can be `default`. */
  modelName: (spec: string) => string
  /** Returns the cost of one step in US dollars. */
  price: (config: RunnableChat, usage: { inputTokens: number; outputTokens: number }) => number
  describeError: (error: unknown) => ModelProblem
  describeFinish: (reason: string, raw: string | undefined) => ModelProblem | undefined
  /** Time limit for the model to summarize what leaves the prompt, in milliseconds. */
  summaryMs: number
  /** The in-process plugins of this server by name. */
  plugins: Plugins
}
