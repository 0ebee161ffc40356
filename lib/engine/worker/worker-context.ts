import type { Windows } from '#lib/engine/context/window-cache.ts'
import type { Bill } from '#lib/engine/limits/charge-bill.ts'
import type { BatchWriter } from '#lib/engine/log/batch-writer.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Turn } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RoundHooks } from '#lib/kernel/ports/hooks.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import type { WatchedTurn } from '#lib/kernel/ports/observer.ts'
import type { ChatAgent } from '#lib/protocol/agent/agent.ts'
import type { DeclaredTool } from '#lib/protocol/session/session.ts'
import type { RunningAgent } from './running-agent.ts'

/** What the worker needs of the server around the engine (`compose/turn/turn-host.ts`). */
export type TurnHost = {
  /** Binds a turn to the worker's lease: with its agent, tools, plugins and model. */
  bindTurn: (
    desk: WorkerContext,
    work: TurnWork,
    watched: WatchedTurn,
    notify: { onLost(): void; onCancel(turnId: string): void }
  ) => Promise<BoundTurn>
  describeError: (error: unknown) => ModelProblem
  /** Whether a call of this tool that a dead worker left is run again. */
  isRepeatable: (toolName: string) => boolean
}

/** The turn that a worker advances. */
export type TurnWork = {
  sessionId: string
  turnId: string
  generation: number
  /** The session's own agent; another one may speak in it. */
  agentId: string
  clientTools: DeclaredTool[]
  /** What the session runs on now. */
  running: RunningAgent<ChatAgent>
}

export type BoundTurn = {
  turn: Turn
  /** What its newest step took of the model, while that is not committed: whoever ends the turn charges it. */
  owed: () => Bill | undefined
  /** The hooks for the end of a turn that may have begun no round. */
  hooksAtEnd: () => Promise<RoundHooks>
}

/** The control of a session that this process advances. A stop is for one turn; `over` ends the whole lease. */
export type TurnControl = {
  stop: AbortController
  turnId?: string | undefined
  endedBy?: 'lost' | 'hand-over'
  /** Calls that are claimed and not recorded yet. */
  readonly tools: Set<string>
}

/** What a worker has on its desk while it advances one session. */
export type WorkerContext = {
  ctx: Ctx
  pubsub: PubSub
  writer: BatchWriter
  windows: Windows
  host: TurnHost
  lease: Lease
  control: TurnControl
}
