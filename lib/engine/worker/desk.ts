import type { LanguageModel } from 'ai'
import type { Windows } from '#lib/engine/context/window-cache.ts'
import type { Appender } from '#lib/engine/log/batch-writer.ts'
import type { Bus } from '#lib/engine/log/pubsub/pubsub.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import type { TakenFiles } from '#lib/models/provider.ts'
import type { Plugins } from '#lib/plugins/load-plugins.ts'
import type { RunnableChat } from '#lib/protocol/agent/agent.ts'
import type { ToolContext } from '#lib/tools/tool.ts'

/** What a turn needs of the world outside: bound once, in `world.ts`. */
export type Outside = {
  /** The model that an agent of a workspace names. Throws a sentence for a person when it is not configured. */
  model: (config: RunnableChat, workspaceId: string) => LanguageModel
  /** The files that it takes as they are. */
  takes: (config: RunnableChat) => TakenFiles
  /** The bytes that the attached files of a prompt may have. */
  promptFileBytes: number
  /** US dollars of a step. */
  price: (config: RunnableChat, usage: { inputTokens: number; outputTokens: number }) => number
  describeError: (error: unknown) => ModelProblem
  describeFinish: (reason: string, raw: string | undefined) => ModelProblem | undefined
  tools: Pick<ToolContext, 'fetch'>
  /** How long a model may take to sum up what leaves the prompt, in milliseconds. */
  summaryMs: number
  /** Those that agents may be given on this server, by name. */
  plugins: Plugins
}

/** The reins of a session that this process advances. A stop is for one turn; `over` ends the whole lease. */
export type Reins = {
  stop: AbortController
  turnId?: string | undefined
  over?: 'lost' | 'hand-over'
  /** Calls that are claimed and not recorded yet. */
  readonly tools: Set<string>
}

/** What a worker has on its desk while it advances one session. */
export type Desk = {
  ctx: Ctx
  bus: Bus
  appender: Appender
  windows: Windows
  outside: Outside
  lease: Lease
  reins: Reins
}
