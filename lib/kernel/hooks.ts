import type { ModelMessage } from 'ai'
import type { CallResult } from '#lib/protocol/call.ts'
import type { Chunk, TurnOutcome } from '#lib/protocol/event.ts'
import type { HookPoint, HookRun } from '#lib/protocol/hook.ts'

/** A call as the model made it. */
export type HookedCall = { toolCallId: string; toolName: string; input: unknown }

/** What each hook is given, always as a copy of its own: changing it in place changes nothing. */
export type HookPayloads = {
  /** What the session does now: `working` when a turn begins, and how the turn ended. */
  onStatus: { status: 'working' | TurnOutcome }
  /** A person's message that the agent gets now. */
  onMessage: { id: string; text: string; sentBy?: string | undefined }
  /** The turn's first round begins; `input`: the words it was begun with, if any were. */
  beforeTurn: { input: string }
  /** A round is one call of the model with the tools that it calls; they count from 1 in a turn. */
  beforeRound: { round: number }
  /** The prompt, whole, as it is about to be sent. */
  beforeModel: { instructions: string; messages: ModelMessage[]; tools: string[] }
  /** A piece of what the model says, as it comes. */
  onChunk: { chunk: Chunk }
  /** What the model said and which tools it calls, before anything of that is kept. */
  afterModel: { text: string; calls: HookedCall[]; finishReason: string }
  /** A call that the model made, before anybody is asked for approval. */
  beforeTool: HookedCall
  /** What a tool of this server came to, before it is kept. */
  afterTool: HookedCall & { result: CallResult }
  /** A round was kept. */
  onRound: { round: number; calls: HookedCall[]; usage: { inputTokens: number; outputTokens: number } }
  onTurn: { outcome: TurnOutcome }
}

/** The points at which something can be changed or cancelled, and those at which it is only watched. */
export type Stepping = Extract<HookPoint, `before${string}` | `after${string}`>
export type Watching = Exclude<HookPoint, Stepping>

/** What the hooks of a point made of what they were given. */
export type Passed<Point extends Stepping> =
  | { payload: HookPayloads[Point]; changed: boolean }
  | { cancelled: { plugin: string; reason: string } }

/** The hooks of one round, made anew for it: nothing of them outlives it. Neither of the two ever throws. */
export type RoundHooks = {
  /** Whether any plugin steps in there: where none does, nothing is waited for. */
  has(point: HookPoint): boolean
  run<Point extends Stepping>(point: Point, payload: HookPayloads[Point]): Promise<Passed<Point>>
  watch<Point extends Watching>(point: Point, payload: HookPayloads[Point]): void
  /** Who has the next round, if a hook has said so: the agent goes on by itself, or it is the person's turn. */
  readonly next: 'self' | 'human' | undefined
}

/** Who is told of what the hooks did. */
export type TellHook = (run: HookRun) => void

/** An agent without plugins. */
export const noHooks: RoundHooks = {
  has: () => false,
  run: async (_point, payload) => ({ payload, changed: false }),
  watch() {},
  next: undefined
}
