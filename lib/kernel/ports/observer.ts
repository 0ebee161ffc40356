import type { CallKind, CallState } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { TurnOutcome } from '@waystation/protocol/session/event.ts'

/** A call whose answer was part of a step's input, and the turn that opened it. */
export type AnsweredCall = { toolCallId: string; turnId: string }

/** A finished turn. Times are ISO 8601, from the database's clock. */
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
  /** The answers that the turn continued from, as far as the process that ended it received them. */
  answered: readonly AnsweredCall[]
}

/** A settled call that did not run on this server. It was open from `since` until `settledAt`. */
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

/**
 * A change of an out-of-band message (004-16). Each message is `accepted` once, and `held` too if it needs approval. The
 * other changes happen to a message at most once each.
 */
export type OobChange = 'accepted' | 'held' | 'delivered' | 'acknowledged' | 'expired' | 'cancelled'

/** Observes a turn, its steps and its tools while a process runs it. */
export type WatchedTurn = {
  stepStarted(answered: readonly AnsweredCall[]): void
  /** Runs a model call as part of the current step. */
  ask<T>(ask: () => T): T
  /** The provider read `cacheRead` of the input from its cache, and wrote `cacheWrite` to it. */
  stepCommitted(usage: {
    inputTokens: number
    outputTokens: number
    cacheRead?: number
    cacheWrite?: number
    calls: number
  }): void
  /** Runs a tool as part of the previous step. */
  tool<Outcome extends { type: string }>(
    call: { toolCallId: string; toolName: string },
    run: () => Promise<Outcome>
  ): Promise<Outcome>
  /** This process is done with the turn. A step that was started but not committed has failed or was aborted. */
  released(): void
}

/**
 * Counts work and writes traces. It never throws, callers do not wait for it, and it gets no prompts, users' text or
 * secrets.
 */
export type Observer = {
  /** Reports the seconds between a session's newest input and the start of its processing. */
  sessionClaimed(seconds: number): void
  turn(turn: { sessionId: string; agentId: string; turnId: string; model?: string | undefined }): WatchedTurn
  turnEnded(turn: EndedTurn): void
  callSettled(call: SettledCall): void
  /** Reports committed changes of out-of-band messages, which have their new state. */
  outOfBand(change: OobChange, messages: readonly OutOfBand[]): void
  /** Determines whether the AI SDK records inputs and outputs of model calls, as `streamText` takes it. */
  readonly telemetry: { recordInputs: boolean; recordOutputs: boolean }
}

const unwatched: WatchedTurn = {
  stepStarted() {},
  ask: ask => ask(),
  stepCommitted() {},
  tool: (_call, run) => run(),
  released() {}
}

const noObserver: Observer = {
  sessionClaimed() {},
  turn: () => unwatched,
  turnEnded() {},
  callSettled() {},
  outOfBand() {},
  telemetry: { recordInputs: false, recordOutputs: false }
}

const key = Symbol.for('waystation.observer')
const globals = globalThis as { [key]?: Observer }

/**
 * Returns the observer of this process, which the server and Next's bundle share like `runtime()`. It does nothing
 * until the server is composed.
 */
export const observer = (): Observer => globals[key] ?? noObserver

/** Sets the observer of this process. */
export function setObserver(newObserver: Observer): void {
  globals[key] = newObserver
}
