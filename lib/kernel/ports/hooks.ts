import type { HandOffInitiator } from '@waystation/protocol/agent/hand-off.ts'
import type { CallResult } from '@waystation/protocol/call/call.ts'
import type { HookPoint, HookRun } from '@waystation/protocol/plugin/hook.ts'
import type { Chunk, TurnOutcome } from '@waystation/protocol/session/event.ts'
import type { ModelMessage } from 'ai'

/** A tool as the model receives it. `inputSchema` is a JSON Schema. */
export type PromptTool = { name: string; description: string; inputSchema: Record<string, unknown> }

/** A call as the model made it. */
export type HookedCall = { toolCallId: string; toolName: string; input: unknown }

/**
 * The run that a step belongs to: from the message that started it to the last answer, including the turns that parked.
 * Steps are counted from 1 in each run.
 */
export type Run = {
  /** The text of the messages that started it. Empty for a late answer, an out-of-band message or a retry. */
  input: string
  /** The number of steps that were started. */
  rounds: number
  /** True if this turn resumes a parked run. */
  resumed: boolean
  /** The previous run, which was parked when a user message started this one. It does not continue. */
  left?: { input: string; rounds: number; agentId: string }
}

/** The input of each hook. Hooks get a copy, so changing it in place has no effect. */
export type HookPayloads = {
  /** A user message that the agent receives now. */
  onMessage: { id: string; text: string; sentBy?: string | undefined }
  /** `working` when a turn starts, and later the turn's outcome. */
  onStatus: { status: 'working' | TurnOutcome }
  /**
   * Before a turn's first step. `input` is the text that started the turn. It is empty if the turn resumes a parked
   * run.
   */
  beforeTurn: { input: string }
  /**
   * A round is one step: a model call with its tool calls. Rounds are counted from 1 in a turn. `lastAgentId` is the
   * agent of the run's previous step.
   */
  beforeRound: { round: number; lastAgentId?: string | undefined }
  /** The complete prompt before it is sent, and the model that receives it, as `provider/model`. */
  beforeModel: { model: string; instructions: string; messages: ModelMessage[]; tools: readonly PromptTool[] }
  /** A chunk of the model's output as it arrives. */
  onChunk: { chunk: Chunk }
  /**
   * The model's text and calls before they are stored. `duration`: how many later steps they stay in the prompt
   * (001-7).
   */
  afterModel: { text: string; calls: HookedCall[]; finishReason: string; duration?: number | undefined }
  /** A call of the model, before anyone is asked to approve it. */
  beforeTool: HookedCall
  /** Before another agent takes over: by the agent's tool, a plugin's `yieldNextRoundTo`, or a person. */
  beforeHandOff: { to: string; reason: string; by: HandOffInitiator['kind'] }
  /**
   * The outcome of a call before the model receives it: a tool's result, a person's answer, a denial or an expired
   * deadline. `duration` overrides the agent's setting for the tool.
   */
  afterTool: HookedCall & { result: CallResult; duration?: number | undefined }
  /** A step was stored. */
  onRound: { round: number; calls: HookedCall[]; usage: { inputTokens: number; outputTokens: number } }
  /** `input` is the text that started the turn. `rounds` is the number of steps that were started. */
  onTurn: { outcome: TurnOutcome; input: string; rounds: number }
}

/** Hook points where plugins can change or cancel something. */
export type Stepping = Extract<HookPoint, `before${string}` | `after${string}`>
/** Hook points where plugins only observe. */
export type Watching = Exclude<HookPoint, Stepping>

/** The result of all hooks at a point. */
export type Passed<Point extends Stepping> =
  | { payload: HookPayloads[Point]; changed: boolean }
  | { cancelled: { plugin: string; reason: string } }

/** The next to act: the same agent, the user, or another agent. `plugin` requested it. */
export type NextRound = { to: YieldTo; plugin: string; reason?: string }
export type YieldTo = 'self' | 'human' | `agent:${string}`

/** The result of one plugin at a point. `payload` is the state after it. */
export type HookStage<Point extends Stepping> = {
  plugin: string
  outcome: 'same' | 'changed' | 'failed'
  payload: HookPayloads[Point]
  /** Milliseconds. */
  ms: number
}

/** The hooks of one step. A new object is created for each step. None of its methods throw. */
export type RoundHooks = {
  /** True if any plugin has a hook at this point. If false, callers do not wait. */
  has(point: HookPoint): boolean
  /** Runs the plugins one after the other, and yields each result. `run` returns only the final result. */
  stages<Point extends Stepping>(
    point: Point,
    payload: HookPayloads[Point]
  ): AsyncGenerator<HookStage<Point>, Passed<Point>>
  run<Point extends Stepping>(point: Point, payload: HookPayloads[Point]): Promise<Passed<Point>>
  watch<Point extends Watching>(point: Point, payload: HookPayloads[Point]): void
  /** The next to act, if a hook decided it. */
  readonly next: NextRound | undefined
}

/** Receives a record of what a hook did. */
export type ReportHookRun = (run: HookRun) => void

/** For agents without plugins. */
export const noHooks: RoundHooks = {
  has: () => false,
  // biome-ignore lint/correctness/useYield: no hook runs, so nothing is yielded
  async *stages(_point, payload) {
    return { payload, changed: false }
  },
  run: async (_point, payload) => ({ payload, changed: false }),
  watch() {},
  next: undefined
}
