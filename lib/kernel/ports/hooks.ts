import type { ModelMessage } from 'ai'
import type { HandedBy } from '#lib/protocol/agent/hand-off.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import type { HookPoint, HookRun } from '#lib/protocol/plugin/hook.ts'
import type { Chunk, TurnOutcome } from '#lib/protocol/session/event.ts'

/** A call as the model made it. */
export type HookedCall = { toolCallId: string; toolName: string; input: unknown }

/**
 * The run that a round belongs to: from the message that began it to its last answer, over each turn in which it was parked.
 * Rounds count from 1 in a run.
 */
export type Run = {
  /** The text of the messages that began it; empty: none did, but a late answer, an out-of-band message or a retry. */
  input: string
  /** How many rounds it has begun. */
  rounds: number
  /** True: an earlier turn left it parked, and this turn goes on with it. */
  resumed: boolean
  /** The run that was parked when a person's message began this one. It is over. */
  left?: { input: string; rounds: number; agentId: string }
}

/** What each hook is given, always as a copy of its own: changing it in place changes nothing. */
export type HookPayloads = {
  /** A person's message that the agent gets now. */
  onMessage: { id: string; text: string; sentBy?: string | undefined }
  /** What the session does now: `working` when a turn begins, and how the turn ended. */
  onStatus: { status: 'working' | TurnOutcome }
  /** The turn's first round begins; `input`: the words it was begun with, if any were. A turn that goes on with a parked run
   * begins with none. */
  beforeTurn: { input: string }
  /** A round is one call of the model with the tools that it calls; they count from 1 in a turn. `lastAgentId`: whose the one
   * before it in this run was. */
  beforeRound: { round: number; lastAgentId?: string | undefined }
  /** The prompt, whole, as it is about to be sent. */
  beforeModel: { instructions: string; messages: ModelMessage[]; tools: string[] }
  /** A piece of what the model says, as it comes. */
  onChunk: { chunk: Chunk }
  /** What the model said and which tools it calls, before anything of that is kept; `duration`: for how many later rounds it stays
   * in the prompt (001-7). */
  afterModel: { text: string; calls: HookedCall[]; finishReason: string; duration?: number | undefined }
  /** A call that the model made, before anybody is asked for approval. */
  beforeTool: HookedCall
  /** Another agent is about to speak, by the agent's tool, by a plugin's `yieldNextRoundTo` or by a person. */
  beforeHandOff: { to: string; reason: string; by: HandedBy['kind'] }
  /** What a call came to, before the model is told: what a tool of this server returned, somebody's answer, a refusal, a
   * deadline. `duration`: as above, else as its agent says of the tool. */
  afterTool: HookedCall & { result: CallResult; duration?: number | undefined }
  /** A round was kept. */
  onRound: { round: number; calls: HookedCall[]; usage: { inputTokens: number; outputTokens: number } }
  /** `input`: the words it was begun with; `rounds`: how many were begun. */
  onTurn: { outcome: TurnOutcome; input: string; rounds: number }
}

/** The points at which something can be changed or cancelled, and those at which it is only watched. */
export type Stepping = Extract<HookPoint, `before${string}` | `after${string}`>
export type Watching = Exclude<HookPoint, Stepping>

/** What the hooks of a point made of what they were given. */
export type Passed<Point extends Stepping> =
  | { payload: HookPayloads[Point]; changed: boolean }
  | { cancelled: { plugin: string; reason: string } }

/** Who has the next round: the agent goes on by itself, it is the person's turn, or another agent's; and who says so. */
export type NextRound = { to: YieldTo; plugin: string; reason?: string }
export type YieldTo = 'self' | 'human' | `agent:${string}`

/** What one plugin did at a point, and what there is behind it. */
export type HookStage<Point extends Stepping> = {
  plugin: string
  outcome: 'same' | 'changed' | 'failed'
  payload: HookPayloads[Point]
  /** Milliseconds. */
  ms: number
}

/** The hooks of one round, made anew for it: nothing of them outlives it. None of the three ever throws. */
export type RoundHooks = {
  /** Whether any plugin steps in there: where none does, nothing is waited for. */
  has(point: HookPoint): boolean
  /** One plugin after the other; `run` is the same at once. */
  stages<Point extends Stepping>(
    point: Point,
    payload: HookPayloads[Point]
  ): AsyncGenerator<HookStage<Point>, Passed<Point>>
  run<Point extends Stepping>(point: Point, payload: HookPayloads[Point]): Promise<Passed<Point>>
  watch<Point extends Watching>(point: Point, payload: HookPayloads[Point]): void
  /** Who has the next round, if a hook has said so. */
  readonly next: NextRound | undefined
}

/** Who is told of what the hooks did. */
export type TellHook = (run: HookRun) => void

/** An agent without plugins. */
export const noHooks: RoundHooks = {
  has: () => false,
  // biome-ignore lint/correctness/useYield: nobody steps in
  async *stages(_point, payload) {
    return { payload, changed: false }
  },
  run: async (_point, payload) => ({ payload, changed: false }),
  watch() {},
  next: undefined
}
