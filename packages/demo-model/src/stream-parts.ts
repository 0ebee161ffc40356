import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Part } from './part.ts'
import { countTokens } from './server.ts'

/** Time between two numbers of `count to`, in milliseconds (docs/api.md#demo-model). */
const COUNT_DELAY_MS = 50

/**
 * Converts a reply to the stream parts of the AI SDK's provider interface. Text streams word by word without delay,
 * numbers with a delay, and each call with its whole input. `cut` ends the stream without a `finish` part. Throws an
 * `AbortError` if the signal aborts during a delay.
 *
 * @param inputTokens the input tokens that `finish` reports
 */
export async function* streamParts(
  parts: readonly Part[],
  inputTokens: number,
  signal: AbortSignal | undefined
): AsyncGenerator<LanguageModelV4StreamPart> {
  let outputTokens = 0
  let block = 0
  for (const part of parts) {
    if (part.kind === 'call') {
      const input = JSON.stringify(part.input)
      outputTokens += countTokens(part.tool) + countTokens(input)
      yield* call(`call_${randomUUID()}`, part.tool, input)
    } else {
      const id = `text-${block++}`
      yield { type: 'text-start', id }
      for await (const delta of deltas(part, signal)) {
        outputTokens += countTokens(delta)
        yield { type: 'text-delta', id, delta }
      }
      if (part.kind === 'cut') return
      yield { type: 'text-end', id }
    }
  }
  const reason = parts.some(part => part.kind === 'call') ? 'tool-calls' : 'stop'
  yield {
    type: 'finish',
    finishReason: { unified: reason, raw: reason },
    usage: usageOf(inputTokens, outputTokens)
  }
}

function* call(id: string, toolName: string, input: string): Generator<LanguageModelV4StreamPart> {
  yield { type: 'tool-input-start', id, toolName }
  yield { type: 'tool-input-delta', id, delta: input }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName, input }
}

async function* deltas(part: Part, signal: AbortSignal | undefined): AsyncGenerator<string> {
  if (part.kind === 'text') yield* splitWords(part.text)
  if (part.kind === 'cut')
    yield* splitWords('You asked me to stop early, so this answer ends in the middle of a')
  if (part.kind !== 'count') return
  for (let n = 1; n <= part.to; n++) {
    if (n > 1) await wait(COUNT_DELAY_MS, undefined, { signal })
    yield n === 1 ? '1' : ` ${n}`
  }
}

/** Splits a text after each run of white space. The joined pieces are the original text. */
function* splitWords(text: string): Generator<string> {
  let from = 0
  for (let i = 1; i < text.length; i++) {
    if (isSpace(text[i - 1]!) && !isSpace(text[i]!)) {
      yield text.slice(from, i)
      from = i
    }
  }
  yield text.slice(from)
}

const isSpace = (character: string): boolean => character === ' ' || character === '\n' || character === '\t'

const usageOf = (input: number, output: number): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 }
})
