import type { FinishReason } from 'ai'
import type { Chunk } from '#lib/protocol/session/event.ts'
import { reportedTokens } from './reported-tokens.ts'
import type { Spent } from './turn.ts'

/** How a call of the model ended, as the provider said: the SDK's `finish-step`. */
type Ended = {
  finishReason: FinishReason
  usage: { inputTokens: number | undefined; outputTokens: number | undefined }
}

/** What listens to one call of the model. */
export type Meter = ReturnType<typeof meterOf>

/**
 * Listens to one call of the model and says what it took, whatever becomes of its answer: a provider bills what it was asked
 * and what it wrote, also where nobody wants it any more. So whoever stops it before its end still pays for it.
 *
 * @param signal stops the call
 */
export function meterOf(signal: AbortSignal) {
  let state: 'unasked' | 'asked' | 'refused' | 'answered' = 'unasked'
  let said = ''
  let usage: Spent['usage'] = { inputTokens: 0, outputTokens: 0 }
  /** Calls whose arguments came in pieces: the whole that follows is the same words again. */
  const inPieces = new Set<string>()
  const say = (words: string) => {
    if (words === '') return
    state = 'answered'
    said += words
  }
  return {
    /** It goes out now. */
    ask() {
      state = 'asked'
    },
    say,
    /** What the model said, thought or called. */
    hear(chunk: Chunk) {
      if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') say(chunk.delta)
      else if (chunk.type === 'tool-input-delta') {
        inPieces.add(chunk.toolCallId)
        say(chunk.inputTextDelta)
      } else if (chunk.type === 'tool-input-available' && !inPieces.has(chunk.toolCallId))
        say(JSON.stringify(chunk.input ?? null))
    },
    /** An error ends a call as well, and says nothing of an answer. */
    end({ finishReason, usage: told }: Ended) {
      usage = {
        inputTokens: reportedTokens(told.inputTokens),
        outputTokens: reportedTokens(told.outputTokens)
      }
      if (finishReason !== 'error' || usage.inputTokens + usage.outputTokens > 0) state = 'answered'
    },
    /** It failed; one that is stopped fails because of that. */
    fail() {
      if (state === 'asked' && !signal.aborted) state = 'refused'
    },
    /** What it took; undefined: nothing, since it never went out, or failed before any answer. */
    spent: (): Spent | undefined =>
      state === 'answered' || (state === 'asked' && signal.aborted) ? { usage, said } : undefined
  }
}
