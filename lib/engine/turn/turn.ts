import type { CallAccount } from '@waystation/protocol/call/answer-policy.ts'
import type { CallResult, RenderHint } from '@waystation/protocol/call/call.ts'
import type { Elicited } from '@waystation/protocol/call/elicitation.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Chunk, TurnError } from '@waystation/protocol/session/event.ts'
import type { UserPart } from '@waystation/protocol/session/message.ts'
import type { PromptState } from '@waystation/protocol/session/prompt.ts'
import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import type { HookedCall, HookPayloads, NextRound, RoundHooks, Run } from '#lib/kernel/ports/hooks.ts'

import type { AttachedFiles } from './attached-files.ts'

/**
 * The assistant's content of one committed step, exactly as the provider returned it, including reasoning
 * metadata.
 */
export type AssistantContent = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>

/**
 * An entry of the model's context (docs/concepts/engine.md#prompt). Entries are only added. An entry with a
 * `duration` leaves the prompt after that many steps (001-7). The results of a step are those of its calls. A
 * deferred call stays "still waiting" forever, and its answer is an `answer` entry, at the point where a step
 * took it from the inbox.
 */
export type ContextEntry =
  | { id: number; kind: 'user'; parts: UserPart[]; tokens: number; duration?: number }
  | {
      id: number
      kind: 'step'
      content: AssistantContent
      calls: StepCall[]
      tokens: number
      duration?: number
    }
  | {
      id: number
      kind: 'answer'
      toolCallId: string
      toolName: string
      state: string
      result: CallResult
      tokens: number
      duration?: number
    }
  | { id: number; kind: 'note'; text: string; tokens: number; duration?: number }
  | { id: number; kind: 'oob'; message: PromptOob; tokens: number; duration?: number }

/** Out-of-band messages up to the entry `upTo` are shortened to a line of `characters`. */
export type ShortOob = { upTo: number; characters: number }

/** An out-of-band message as the model receives it. */
export type PromptOob = Pick<OutOfBand, 'id' | 'source' | 'sourceId' | 'priority' | 'content' | 'metadata'>

/** A call of a step, with the fields that the prompt uses. */
export type StepCall = {
  toolCallId: string
  toolName: string
  deferred: boolean
  result: CallResult | null
  editedInput?: unknown
  /** Number of steps for which the result stays in the prompt; absent means forever. */
  duration?: number
  /** How the call's card is shown. For a sub-agent, it names the sub-agent's session (001-16). */
  render?: RenderHint | null
}

/** A server call that this worker has claimed, so that no other worker runs it. */
export type ClaimedCall = {
  toolCallId: string
  toolName: string
  input: unknown
  edited: boolean
  /** True if another agent made the call before a handoff. */
  byOtherAgent?: boolean
  /** True if a person approved this call. */
  approved?: boolean
  /** The person whose accounts the call can use; null if it can use none. */
  account?: CallAccount | null
  /** Answers to questions that the tool's server asked in earlier runs of this call. */
  elicited?: readonly Elicited[]
  /** Time that the call was ready but not started, in seconds. */
  waitedSeconds: number
  /** Time limit for all calls of the step together, in seconds. */
  batchSeconds: number
}

/**
 * A settled call whose result has not been passed to plugins. `late` is true if the call was still open when
 * a later step started.
 */
export type SettledCall = HookedCall & { result: CallResult; late: boolean }

/**
 * The run that a step belongs to. `opened` is true if the hooks at the start of the step have already run.
 * The loop counts the rounds.
 */
export type RunState = Run & { opened?: boolean }

/** The plugins' view of a step: their hooks, and functions that replace text for the model. */
export type Round = {
  readonly hooks: RoundHooks
  readonly run: RunState
  /** Returns the results that neither plugins nor the model have received, in the order of their settlement. */
  readonly results: () => Promise<SettledCall[]>
  /** Replaces a result for the model. The conversation still shows the original answer. */
  readonly replaceResult: (
    toolCallId: string,
    result: CallResult,
    duration: number | undefined
  ) => Promise<{ entries: ContextEntry[] }>
  /** Replaces user messages for the model. The conversation still shows the original text. */
  readonly replaceInput: (
    messageIds: readonly string[],
    input: string
  ) => Promise<{ entries: ContextEntry[] }>
}

/** The model of a step. */
export type StepModel = {
  /** `provider/model` */
  readonly name: string
  /** Returns the model. Throws a readable error if it is not configured, so only the step fails. */
  readonly open: () => LanguageModel
  /** Opens this model, or the one that a plugin chose. `chunks` adapts its stream to what clients receive. */
  readonly openStream: (name: string) => {
    model: LanguageModel
    chunks: (stream: ReadableStream<Chunk>) => AsyncIterable<Chunk>
  }
  /** Tells whether the model accepts a user message after tool results (004-9). */
  readonly userAfterTools: () => boolean
  /** Estimates the tokens of instructions or of a message. */
  readonly tokensOf: (text: string | ModelMessage) => number
  /** Runs the model call inside the trace of this step. `telemetry` says what the trace can record. */
  readonly ask: <T>(ask: (telemetry: { recordInputs: boolean; recordOutputs: boolean }) => T) => T
  /** Converts an error of the call to a readable turn error. */
  readonly describeError: (error: unknown) => TurnError & { retryAfterMs?: number }
  /** Returns an error if the finish reason is a problem, such as a cut-off or a refusal; otherwise undefined. */
  readonly describeFinish: (
    reason: string,
    raw: string | undefined
  ) => (TurnError & { retryAfterMs?: number }) | undefined
}

/** A started step, with everything that it runs on. It is immutable: changes by plugins create a new one. */
export type Step = Round &
  PromptSource & {
    readonly kind: 'step'
    readonly messageId: string
    /** Number of the step in its turn, from 1. A step that was cut off and starts again keeps its number. */
    readonly round: number
    /** The agent of the previous step in this session. */
    readonly lastAgentId?: string | undefined
    /** The user messages that the step takes in. */
    readonly userMessages: readonly { id: string; text: string; sentBy?: string | undefined }[]
    /** Converts tools to the SDK's format: schemas without `execute`, because the loop runs the tools. */
    readonly toToolSet: (tools: FinalPrompt['tools']) => ToolSet
    readonly model: StepModel
  }

/** The parts of a step that its prompt is made of. */
export type PromptSource = Pick<Round, 'hooks'> & {
  /** All entries of the context window. */
  readonly entries: ContextEntry[]
  readonly summary: string
  readonly shortOob: ShortOob
  /** How the prompt contains the stored files of these entries; absent if there are none. */
  readonly files?: AttachedFiles | undefined
  readonly instructions: string
  readonly tools: FinalPrompt['tools']
  /** Creates the server's own hooks, which run before the plugins' if any text has a duration. */
  readonly serverHooks: () => Promise<RoundHooks>
  readonly model: Pick<StepModel, 'name' | 'userAfterTools' | 'tokensOf'>
}

/**
 * A call that has a result but is not recorded yet. `duration` is the number of steps for which the result
 * stays in the prompt.
 */
export type FinishedCall = { toolCallId: string; outcome: CallResult; duration?: number | undefined }

/**
 * The result of `begin`:
 *
 * - `step`: a step has started
 * - `tools`: server calls can run first; `calls` are those that are already claimed
 * - `waiting`: the turn failed before, and its retry is not due
 * - `aborted`: a stop was requested
 * - `parked`, `done`: nothing starts a step, with or without open calls
 */
export type Begin =
  | Step
  | ({ readonly kind: 'tools'; readonly calls?: readonly ClaimedCall[] | undefined } & Round)
  | { readonly kind: 'aborted' | 'waiting' | 'parked' | 'done' }

/** The prompt that a step sends to the model. */
export type FinalPrompt = HookPayloads['beforeModel']
/** A final prompt with the states of its assembly. */
export type AssembledPrompt = FinalPrompt & { states: PromptState[] }

/**
 * A call that the model made, before it is opened. `error` is set if the tool is unknown or the arguments do
 * not match its schema.
 */
export type ModelCall = { toolCallId: string; toolName: string; input: unknown; error?: string }

/** The tokens of a model call. The provider read `cacheRead` of the input from its cache, and wrote `cacheWrite` to it. */
export type StepUsage = { inputTokens: number; outputTokens: number; cacheRead?: number; cacheWrite?: number }

/** The outcome of a model call, ready to be committed. */
export type FinishedStep = {
  content: AssistantContent
  calls: ModelCall[]
  usage: StepUsage
  /**
   * A plugin's decision on the next step: the agent continues even if nothing requests it, it stops and waits
   * for the user, or another agent continues.
   */
  next?: NextRound
  /** Number of later steps for which the step stays in the prompt; absent means forever. */
  duration?: number
}

/**
 * The usage of a model call, even if its answer is not used: the tokens that the provider reported (0 if
 * none), and all text, reasoning and calls that the model produced, from which missing counts are estimated.
 */
export type Spent = { usage: StepUsage; text: string }

/**
 * The functions through which the loop reads and writes. Each write is one transaction that checks the lease
 * and throws `LeaseLost` if another worker owns the session. The loop never catches that error.
 */
export type Turn = {
  /** Aborted by a cancel, an interrupt, a clean stop of the worker, or a lost lease. */
  readonly signal: AbortSignal
  /**
   * Drains the inbox, defers open calls and starts a step, if anything starts one. `last` is the last running
   * call, which is recorded in the same transaction.
   */
  begin(last?: FinishedCall): Promise<Begin>
  /**
   * Notes the usage of a model call. The commit of the step charges it. Without a commit, the end of the turn
   * or the wait for a retry does.
   */
  addUsage(spent: Spent): void
  /** Notes the prompt that the model receives. */
  asked(prompt: AssembledPrompt): void
  /** Stores the prompt of a failed step. */
  keepFailed(error: TurnError): Promise<void>
  /** Commits the started step as a whole: its remaining chunks, its calls, its usage and its prompt. */
  commit(step: FinishedStep, prompt: AssembledPrompt): Promise<void>
  /**
   * Claims the next calls that the server can run, up to the limit of parallel calls. `running` is the number
   * that are running now.
   */
  claim(running: number): Promise<ClaimedCall[]>
  /**
   * Runs the tool of a claimed call. A failure is a result and never throws. The signal ends the tool early.
   * `secondsLeft` is the remaining time limit of the step's calls, in seconds.
   */
  run(call: ClaimedCall, signal: AbortSignal, secondsLeft: number): Promise<ToolOutcome>
  /**
   * Records the outcome of a claimed call, and the number of steps for which its result stays in the prompt.
   * Suspends a call that needs an account, consent or an answer.
   */
  record(toolCallId: string, outcome: ToolOutcome, duration?: number): Promise<void>
  /** Resolves at the next notification of this session, because an approval can have made a call runnable. */
  notified(signal: AbortSignal): Promise<void>
}

/** An event that the loop yields. `end` is the last one. */
export type TurnEvent = { type: 'chunk'; messageId: string; chunk: Chunk } | { type: 'end'; end: TurnEnd }

/** How a run of the loop ended. */
export type TurnEnd =
  | { kind: 'done' }
  | { kind: 'parked' }
  | { kind: 'waiting' }
  | FailedTurn
  /** `partial` is the text of a step that was cut off; absent if no step of this run had started. */
  | { kind: 'aborted'; partial?: string }
export type FailedTurn = { kind: 'failed'; error: TurnError & { retryAfterMs?: number } }
