import type { CallKind, CallState } from '#lib/protocol/call/call.ts'
import type { TurnOutcome } from '#lib/protocol/session/event.ts'

/** A call whose answer a step took in, and the turn that had opened it. */
export type AnsweredCall = { toolCallId: string; turnId: string }

/** A turn that is over. Times are ISO 8601, by the database's clock. */
export type EndedTurn = {
  sessionId: string
  agentId: string
  turnId: string
  outcome: TurnOutcome
  startedAt: string
  endedAt: string
  steps: number
  inputTokens: number
  outputTokens: number
  /** What it went on from, as far as the process that ended it took it in. */
  answered: readonly AnsweredCall[]
}

/** A call of somebody else that was settled: `since` it was open, until `settledAt`. */
export type SettledCall = {
  sessionId: string
  agentId: string
  turnId: string
  toolCallId: string
  toolName: string
  kind: CallKind
  state: CallState
  since: string
  settledAt: string
}

/** A turn while a process runs it: its steps and its tools. */
export type WatchedTurn = {
  stepBegun(answered: readonly AnsweredCall[]): void
  /** Asks the model, as a part of the step that was begun. */
  ask<T>(ask: () => T): T
  stepCommitted(usage: { inputTokens: number; outputTokens: number; calls: number }): void
  /** Runs a tool, as a part of the step before it. */
  tool<Outcome extends { type: string }>(
    call: { toolCallId: string; toolName: string },
    run: () => Promise<Outcome>
  ): Promise<Outcome>
  /** This process is done with it: a step that was begun and not committed failed, or was cut off. */
  left(): void
}

/**
 * Who watches the work: counts it, and writes its traces. It only watches: it never throws, nobody waits for it, and it
 * gets no prompts, no words of persons and no secrets.
 */
export type Observer = {
  /** Seconds from when the newest thing that a session owes was put in, to when a worker began with it. */
  sessionTaken(seconds: number): void
  turn(turn: { sessionId: string; agentId: string; turnId: string; model?: string | undefined }): WatchedTurn
  turnEnded(turn: EndedTurn): void
  callSettled(call: SettledCall): void
  /** What the SDK may write down of a model call, as `streamText` takes it. */
  readonly telemetry: { recordInputs: boolean; recordOutputs: boolean }
}

const unwatched: WatchedTurn = {
  stepBegun() {},
  ask: ask => ask(),
  stepCommitted() {},
  tool: (_call, run) => run(),
  left() {}
}

const nobody: Observer = {
  sessionTaken() {},
  turn: () => unwatched,
  turnEnded() {},
  callSettled() {},
  telemetry: { recordInputs: false, recordOutputs: false }
}

const place = Symbol.for('waystation.observer')
const here = globalThis as { [place]?: Observer }

/** Who watches in this process: one for the server and Next's bundle, like `runtime()`; nobody until the server is composed. */
export const observer = (): Observer => here[place] ?? nobody

export function watchWith(watching: Observer): void {
  here[place] = watching
}
