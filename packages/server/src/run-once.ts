import { type AnswerResult, answer } from './answer.ts'
import { invalidOutput, type Result, tooLarge } from './run-tool.ts'
import type { ToolCall } from './tool-call.ts'

/** A stored call. Without `result`, it has not been run, or the process ended before it could store the result. */
export type StoredCall = { call: ToolCall; result?: Result }

/**
 * Stores calls for several processes and for restarts. Each method rejects if it cannot read or write. `set` resolves
 * when the value is durable, and replaces an earlier value of the same call.
 *
 * The order for each call is `get`, `set` with the call, `execute`, `set` with the result, answer. A process that ends
 * before the second `set` leaves a call without a result, and a redelivery or `resume` runs the call again.
 */
export type ToolStore = {
  get(toolCallId: string): Promise<StoredCall | null | undefined>
  set(toolCallId: string, stored: StoredCall): Promise<void>
}

/** The outcome of a call. `later`: the program answers it. */
export type CallOutcome = AnswerResult | { status: 'later' }

/**
 * A call that this process received. `recorded` resolves when the store has the call, so that receipt can be confirmed.
 * Both promises reject if the store fails before the run.
 */
export type ReceivedCall = { recorded: Promise<unknown>; outcome: Promise<CallOutcome> }

/** How many calls one process remembers. Only calls whose answer did not arrive remember their result. */
const remembered = 10_000

type Entry = {
  recorded: Promise<unknown>
  result: Promise<Result> | undefined
  outcome?: Promise<CallOutcome> | undefined
}

/**
 * Returns a function that runs a call and sends its answer. For a call that runs or was answered, it returns the first
 * outcome. If the answer did not arrive, it sends the same answer again.
 */
export function runOnce(
  run: (call: ToolCall) => Promise<Result>,
  store: ToolStore | undefined,
  report: (error: unknown, call: ToolCall) => void
): (call: ToolCall) => ReceivedCall {
  const entries = new Map<string, Entry>()

  /** Returns the stored result, or stores the call and returns undefined. */
  async function record(call: ToolCall): Promise<Result | undefined> {
    const stored = await store?.get(call.toolCallId)
    if (stored?.result) return stored.result
    await store?.set(call.toolCallId, { call })
    return undefined
  }

  async function runAndStore(call: ToolCall): Promise<Result> {
    const result = await run(call)
    // The tool ran, so the answer is sent even if it could not be stored.
    await store?.set(call.toolCallId, { call, result }).catch(error => report(error, call))
    return result
  }

  async function send(call: ToolCall, result: Result): Promise<CallOutcome> {
    if ('later' in result) return { status: 'later' }
    const outcome = await answer({ answerUrl: call.answerUrl, ...result })
    if (outcome.status === 'accepted') return outcome
    report(new Error(`The answer was not used: ${outcome.message}`), call)
    // The agent's schema can be stricter than the tool's. The model learns that the tool ran.
    const isFit = 'error' in result || outcome.status !== 'rejected'
    if (isFit || !['INVALID_INPUT', 'TOO_LARGE'].includes(outcome.code ?? '')) return outcome
    return send(call, outcome.code === 'TOO_LARGE' ? tooLarge : invalidOutput)
  }

  function open(call: ToolCall): Entry {
    const recorded = record(call)
    const entry = { recorded, result: recorded.then(stored => stored ?? runAndStore(call)) }
    entries.set(call.toolCallId, entry)
    for (const [id, { result }] of entries) {
      if (entries.size <= remembered) break
      if (result === undefined) entries.delete(id)
    }
    return entry
  }

  async function settle(call: ToolCall, entry: Entry, result: Promise<Result>): Promise<CallOutcome> {
    try {
      const outcome = await send(call, await result)
      if (outcome.status === 'unreachable' || outcome.status === 'rejected') entry.outcome = undefined
      else entry.result = undefined
      return outcome
    } catch (error) {
      // The store failed before the run.
      entries.delete(call.toolCallId)
      report(error, call)
      throw error
    }
  }

  return call => {
    const known = entries.get(call.toolCallId)
    const entry = known ?? open(call)
    if (entry.result !== undefined) entry.outcome ??= settle(call, entry, entry.result)
    // Without a result, the call is done and has its outcome.
    return { recorded: entry.recorded, outcome: entry.outcome as Promise<CallOutcome> }
  }
}
