import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import type { HookedCall, NextRound, RoundHooks, Run } from '#lib/kernel/ports/hooks.ts'
import type { CallAccount } from '#lib/protocol/call/answerers.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import type { Elicited } from '#lib/protocol/call/elicitation.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { Chunk, TurnError } from '#lib/protocol/session/event.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'

import type { PromptState } from '#lib/protocol/session/prompt.ts'

import type { AttachedFiles } from './attached-files.ts'

/** The assistant's part of one committed step, exactly as the provider gave it (reasoning metadata included). */
export type AssistantContent = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>

/**
 * What the model sees, entry by entry, oldest first (docs/concepts/engine.md#prompt). Entries are only ever added; one with a `duration` leaves the
 * prompt after so many rounds (001-7). A step's results are
 * those of its calls: a deferred call stays "still waiting" at its place for ever, and its true answer is an
 * `answer` entry at the point where it was drained.
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
  | { id: number; kind: 'oob'; message: ToldOob; tokens: number; duration?: number }

/** An out-of-band message as the model is told it. */
export type ToldOob = Pick<OutOfBand, 'id' | 'source' | 'sourceId' | 'priority' | 'content' | 'metadata'>

/** A call of a step, as far as the prompt is concerned. */
export type StepCall = {
  toolCallId: string
  toolName: string
  deferred: boolean
  result: CallResult | null
  editedInput?: unknown
  /** For how many rounds its result stays in the prompt. */
  duration?: number
}

/** A call that our code is to run now: this worker has claimed it, and nobody else will run it. */
export type ClaimedCall = {
  toolCallId: string
  toolName: string
  input: unknown
  edited: boolean
  /** Its agent made it before it handed the session to the one that speaks now. */
  ofOther?: boolean
  /** Whether somebody approved this very call. */
  approved?: boolean
  /** Whose own accounts it may use; null: nobody's. */
  account?: CallAccount | null
  /** What people answered to its server's questions when it ran before. */
  elicited?: readonly Elicited[]
  /** Seconds that it could have run already and waited for room. */
  waited: number
  /** Seconds that the calls of its step may take together. */
  batchSeconds: number
}

/** A call whose result no plugin has heard. `late`: it was still open when a later step began. */
export type SettledCall = HookedCall & { result: CallResult; late: boolean }

/** The run that a round belongs to. `opened`: the round has begun ahead of its step. The loop counts the rounds. */
export type RunState = Run & { opened?: boolean }

/** A round of plugins: what they hear, and what they can put in the place of words. */
export type Round = {
  readonly hooks: RoundHooks
  readonly run: RunState
  /** What calls came to that no plugin has heard of and no model has read yet, in the order in which that was settled. */
  readonly results: () => Promise<SettledCall[]>
  /** Has the model told this in the place of a result. The conversation shows what was answered. */
  readonly replaceResult: (
    toolCallId: string,
    result: CallResult,
    duration: number | undefined
  ) => Promise<{ entries: ContextEntry[] }>
  /** The same in the place of what people said. The conversation shows their own words. */
  readonly replaceInput: (
    messageIds: readonly string[],
    input: string
  ) => Promise<{ entries: ContextEntry[] }>
}

/** The model of a step. */
export type StepModel = {
  /** Throws a sentence when it is not configured: the step fails then, and not what is before it. */
  readonly open: () => LanguageModel
  /** The same for a step whose words are streamed: the model to ask, and the chunks of its answer as they are shown. */
  readonly openStream: () => {
    model: LanguageModel
    chunks: (stream: ReadableStream<Chunk>) => AsyncIterable<Chunk>
  }
  /** Whether it takes a user message right behind tool results (004-9). */
  readonly userAfterTools: () => boolean
  /** How many tokens instructions or a message are, by the heuristic. */
  readonly tokensOf: (words: string | ModelMessage) => number
  /** Calls it, so that what is written down of the call stands at this turn's step. `telemetry`: what may be written down. */
  readonly ask: <T>(ask: (telemetry: { recordInputs: boolean; recordOutputs: boolean }) => T) => T
  /** What an error of the call means, in words for a person. */
  readonly describeError: (error: unknown) => TurnError & { retryAfterMs?: number }
  /** The problem behind the way a step finished (cut off, refused), if there is one. */
  readonly describeFinish: (
    reason: string,
    raw: string | undefined
  ) => (TurnError & { retryAfterMs?: number }) | undefined
}

/** A step that was begun: all that it runs on. It does not change; what plugins change is a new one. */
export type Step = Round & {
  readonly kind: 'step'
  readonly messageId: string
  /** Which round of the turn it is, from 1; one that was cut off and is begun again has the same number. */
  readonly round: number
  /** Whose the step before it in this session was. */
  readonly lastAgentId?: string | undefined
  /** The messages of people that it takes in. */
  readonly said: readonly { id: string; text: string; sentBy?: string | undefined }[]
  /** The window, whole. */
  readonly entries: ContextEntry[]
  readonly summary: string
  readonly oobStart: number
  /** What stands for the kept files of these entries; absent: there are none. */
  readonly files?: AttachedFiles | undefined
  readonly instructions: string
  /** The tools as the SDK wants them: schemas and no `execute` (the loop runs them itself). */
  readonly tools: ToolSet
  /** The server's own hooks, ahead of the plugins', where anything has a duration. */
  readonly filter: RoundHooks
  readonly model: StepModel
}

/** A call that ran to a result, which is not recorded yet. `duration`: for how many rounds it stays in the prompt. */
export type FinishedCall = { toolCallId: string; outcome: CallResult; duration?: number | undefined }

/**
 * What `begin` comes to. `tools`: our own calls can run first; `calls`: those that are claimed already. `waiting`: the turn failed before, and its retry is not due yet.
 * `aborted`: somebody asked to stop.
 */
export type Begin =
  | Step
  | ({ readonly kind: 'tools'; readonly calls?: readonly ClaimedCall[] | undefined } & Round)
  | { readonly kind: 'aborted' | 'waiting' | 'parked' | 'done' }

/** What a model is given for a step. */
export type FinalPrompt = { instructions: string; messages: ModelMessage[]; tools: ToolSet }
/** The same, and the states that it came by. */
export type AssembledPrompt = FinalPrompt & { states: PromptState[] }

/** A call the model made in a step, before it is opened. `error`: its tool is unknown or its arguments do not fit. */
export type MadeCall = { toolCallId: string; toolName: string; input: unknown; error?: string }

export type FinishedStep = {
  content: AssistantContent
  calls: MadeCall[]
  usage: { inputTokens: number; outputTokens: number }
  /** Who has the next round, as a plugin said: the agent goes on though nothing asks it to, or its last word is said; the
   * person has it, whatever the tools bring; or another agent. */
  next?: NextRound
  /** For how many later rounds it stays in the prompt; absent: for ever. */
  duration?: number
}

/**
 * What a call of the model took, whatever became of its answer: the tokens that the provider reported (0: none), and all that the
 * model said, thought and called, from which the rest is estimated.
 */
export type Spent = { usage: FinishedStep['usage']; said: string }

/**
 * One run of the loop, as the loop sees it. Everything here that writes does so in one fenced transaction and throws
 * `LeaseLost` when somebody else owns the session by then; the loop never catches that.
 */
export type Turn = {
  /** Aborted by cancel, interrupt, hand-over and a lost lease. */
  readonly signal: AbortSignal
  /**
   * Drains the inbox, defers what is open and begins a step, if anything starts one. `last`: a call to record in the same
   * transaction, the last of those that were running.
   */
  begin(last?: FinishedCall): Promise<Begin>
  /** Notes what the step has taken of the model. Its commit charges it; a step that comes to none, the end of the turn or the
   * wait for its retry. */
  spend(spent: Spent): void
  /** Commits the step that was begun, whole: the rest of its chunks, its calls, its usage; and keeps the prompt that it was given. */
  commit(step: FinishedStep, prompt: AssembledPrompt): Promise<void>
  /** Claims the next calls that our code may run, as many as there is room for beside those that are running. */
  claim(running: number): Promise<ClaimedCall[]>
  /** Runs a claimed call's tool; `left`: seconds that its step's calls still have. A failure is a result, never a throw; the
   * signal ends it early. */
  run(call: ClaimedCall, signal: AbortSignal, left: number): Promise<ToolOutcome>
  /** Records what a claimed call came to, and for how many rounds it stays in the prompt; of one that lacks an account, or whose server asks something, that it waits for that. */
  record(toolCallId: string, outcome: ToolOutcome, duration?: number): Promise<void>
  /** Resolves when something rang for this session: an approval may have made a call runnable. */
  rung(signal: AbortSignal): Promise<void>
}

/** What the loop yields. `end` is the last: a failed model call, a cut-off one, or nothing left to do. */
export type TurnEvent = { type: 'chunk'; messageId: string; chunk: Chunk } | { type: 'end'; end: TurnEnd }

export type TurnEnd =
  | { kind: 'done' }
  | { kind: 'parked' }
  | { kind: 'waiting' }
  | { kind: 'failed'; error: TurnError & { retryAfterMs?: number } }
  /** `partial`: what a step had said that was cut off; left out when no step of this run had begun. */
  | { kind: 'aborted'; partial?: string }
