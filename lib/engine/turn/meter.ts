import type { Chunk } from '@waystation/protocol/session/event.ts'
import type { FinishReason, LanguageModelUsage } from 'ai'
import type { Spent, StepUsage } from './turn.ts'

/** The SDK's usage of a model call. A count that the provider did not report is undefined. */
type Reported = Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'> &
  Partial<Pick<LanguageModelUsage, 'inputTokenDetails'>>

/** How a model call ended, according to the provider: the SDK's `finish-step`. */
type StepEnd = { finishReason: FinishReason; usage: Reported }

/** Measures one model call. */
export type Meter = ReturnType<typeof createMeter>

/**
 * Measures what a model call costs, even if its answer is not used. Providers bill a sent prompt and the
 * generated output, so a stopped call also costs.
 *
 * @param signal the signal that stops the call
 */
export function createMeter(signal: AbortSignal) {
  let state: 'unasked' | 'asked' | 'refused' | 'answered' = 'unasked'
  let output = ''
  let usage: Spent['usage'] = { inputTokens: 0, outputTokens: 0 }
  /** Calls whose arguments arrived as deltas. Their complete arguments follow and are not counted again. */
  const streamedCalls = new Set<string>()
  const append = (delta: string) => {
    if (delta === '') return
    state = 'answered'
    output += delta
  }
  return {
    /** Notes that the call is sent. */
    ask() {
      state = 'asked'
    },
    append,
    /** Counts the model's text, reasoning and calls. */
    add(chunk: Chunk) {
      if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') append(chunk.delta)
      else if (chunk.type === 'tool-input-delta') {
        streamedCalls.add(chunk.toolCallId)
        append(chunk.inputTextDelta)
      } else if (chunk.type === 'tool-input-available' && !streamedCalls.has(chunk.toolCallId))
        append(JSON.stringify(chunk.input ?? null))
    },
    /** An error also ends with a `finish-step`, which does not prove that the model answered. */
    end({ finishReason, usage: reported }: StepEnd) {
      usage = usageOf(reported)
      if (finishReason !== 'error' || usage.inputTokens + usage.outputTokens > 0) state = 'answered'
    },
    /** Notes that the call failed. A stopped call also fails, but is still billed. */
    fail() {
      if (state === 'asked' && !signal.aborted) state = 'refused'
    },
    /** Returns the usage; undefined if the call was not sent or failed before any answer. */
    spent: (): Spent | undefined =>
      state === 'answered' || (state === 'asked' && signal.aborted) ? { usage, text: output } : undefined
  }
}

/** Upper limit of a plausible count, more than any model reads or writes in one step. */
const maxTokens = 1_000_000_000

/** Returns the plausible counts of a provider. Cached tokens are part of the input. */
export function usageOf({ inputTokens, outputTokens, inputTokenDetails }: Reported): StepUsage {
  const input = reportedTokens(inputTokens)
  const cacheRead = Math.min(input, reportedTokens(inputTokenDetails?.cacheReadTokens))
  const cacheWrite = Math.min(input - cacheRead, reportedTokens(inputTokenDetails?.cacheWriteTokens))
  const cached = { ...(cacheRead > 0 && { cacheRead }), ...(cacheWrite > 0 && { cacheWrite }) }
  return { inputTokens: input, outputTokens: reportedTokens(outputTokens), ...cached }
}

/** Returns a provider's token count; 0 if it is missing or not a plausible count. */
const reportedTokens = (count: number | undefined): number =>
  count !== undefined && Number.isInteger(count) && count > 0 && count <= maxTokens ? count : 0
