import type { RunnableChat } from '@waystation/protocol/agent/agent.ts'
import type { LanguageModel } from 'ai'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import type { CallSettings } from '#lib/models/call-settings.ts'
import type { StepUsage } from '#lib/models/price.ts'
import type { OriginOf } from '#lib/models/providers/plugin.ts'
import type { Plugins } from '#lib/plugins/load-plugins.ts'

/** The models of a workspace, as its settings were when they were read. */
export type TurnModels = {
  /** Returns the model of an agent. Throws an Error with a sentence for the user if it is not configured. */
  model: (config: RunnableChat, originOf?: OriginOf) => LanguageModel
  /** Returns the agent's parameters as options of a model call. */
  settingsOf: (config: RunnableChat) => CallSettings
  /** Returns the concrete `provider/model` of a model name, which can be `default`. */
  nameOf: (spec: string) => string
  /** Returns the cost of one step in US dollars. */
  price: (config: RunnableChat, usage: StepUsage) => number
  /** Describes an error of a call of this model. */
  describeError: (error: unknown, spec: string) => ModelProblem
}

/** The services that turns use, created once in `compose.ts`. */
export type TurnServices = {
  /** Reads the models of the context's workspace. */
  modelsOf: (ctx: Ctx) => Promise<TurnModels>
  describeError: (error: unknown) => ModelProblem
  describeFinish: (reason: string, raw: string | undefined) => ModelProblem | undefined
  /** Time limit for the model to summarize what leaves the prompt, in milliseconds. */
  summaryMs: number
  /** The in-process plugins of this server by name. */
  plugins: Plugins
}
