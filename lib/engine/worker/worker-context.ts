import type { ChatAgent } from '@waystation/protocol/agent/agent.ts'
import type { DeclaredTool } from '@waystation/protocol/session/session.ts'
import type { WindowCache } from '#lib/engine/context/window-cache.ts'
import type { BatchWriter } from '#lib/engine/log/batch-writer.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Turn } from '#lib/engine/turn/turn.ts'
import type { Bill } from '#lib/engine/worker/limits/charge.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RoundHooks } from '#lib/kernel/ports/hooks.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import type { AnsweredCall, WatchedTurn } from '#lib/kernel/ports/observer.ts'
import type { Committed } from './commit-step.ts'
import type { RunningAgent } from './running-agent.ts'

/** Services that the worker needs from the server (`compose/turn/turn-host.ts`). */
export type TurnHost = {
  /** Creates the functions of a turn under the worker's lease, with its agent, tools, plugins and model. */
  bindTurn: (
    worker: WorkerContext,
    work: TurnWork,
    watched: WatchedTurn,
    notify: { onLost(): void; onCancel(turnId: string): void }
  ) => Promise<BoundTurn>
  describeError: (error: unknown) => ModelProblem
  /** Tells whether a call of this tool can run again after its worker died. */
  isRepeatable: (toolName: string) => boolean
}

/** The turn that a worker advances. */
export type TurnWork = {
  sessionId: string
  turnId: string
  generation: number
  /** The session's own agent. After a handoff, another agent speaks. */
  agentId: string
  clientTools: DeclaredTool[]
  /** The agent that the session runs on now. */
  running: RunningAgent<ChatAgent>
  /** The calls whose answers the turn has taken in so far, for the observer. */
  answered: readonly AnsweredCall[]
}

/** A turn that is bound to a worker's lease. */
export type BoundTurn = {
  turn: Turn
  /** Returns `Committed.ended` of the last commit. */
  ended: () => Committed['ended']
  /** Returns the cost of the newest model call that no commit has charged yet. The end of the turn charges it. */
  unbilledUsage: () => Bill | undefined
  /** Returns the hooks for the end of a turn, which may not have started a step. */
  hooksAtEnd: () => Promise<RoundHooks>
}

/**
 * Controls a session that this process advances. `stop` ends one turn, and `endedBy` is set if the whole
 * lease ends.
 */
export type TurnControl = {
  stop: AbortController
  turnId?: string | undefined
  endedBy?: 'lost' | 'hand-over'
  /** Calls that are claimed and not recorded yet. */
  readonly tools: Set<string>
}

/** Everything that a worker uses while it advances one session. */
export type WorkerContext = {
  ctx: Ctx
  pubsub: PubSub
  writer: BatchWriter
  windows: WindowCache
  host: TurnHost
  lease: Lease
  control: TurnControl
}
