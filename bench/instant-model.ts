import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { now } from './machine.ts'
import { slowAddresses } from './slow-addresses.ts'

/** A model call: its time, and the number of messages in its prompt. */
export type ModelCall = { at: number; messages: number; prompt: LanguageModelV4Prompt }

/** The in-process model of the benchmarks, which reports its calls. */
export type InstantModel = LanguageModelV4 & {
  /** Resolves at the next model call. */
  next(): Promise<ModelCall>
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 }
}

/**
 * An in-process model that responds at once, so that a measurement contains no HTTP of a provider.
 *
 * - The message `ask` makes it call `tool` once, and `ask 50` fifty times in one step.
 * - The message `fetch 20` makes it fetch twenty slow URLs.
 * - It responds to all other messages with one sentence of usual length.
 */
export function instantModel(tool: string): InstantModel {
  let listeners: ((modelCall: ModelCall) => void)[] = []
  let count = 0
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'instant',
    supportedUrls: {},
    next: () => new Promise(resolve => listeners.push(resolve)),
    async doStream({ prompt }) {
      const waiting = listeners
      listeners = []
      const modelCall = { at: now(), messages: prompt.length, prompt }
      for (const listener of waiting) listener(modelCall)
      const { questionCount, fetchCount } = requestIn(prompt)
      const inputs =
        fetchCount > 0 ? slowAddresses(fetchCount).map(url => ({ url })) : questions(questionCount)
      const name = fetchCount > 0 ? 'web-fetch' : tool
      return { stream: streamOf(inputs.length === 0 ? sentence() : call(name, inputs, `c${count++}`)) }
    },
    doGenerate: () => Promise.reject(new Error('The bench streams.'))
  }
}

const questions = (count: number) => Array.from({ length: count }, () => ({ question: 'Which of the two?' }))

/** Returns how many questions and slow URLs the last user message requests. */
function requestIn(prompt: LanguageModelV4Prompt): { questionCount: number; fetchCount: number } {
  const last = prompt.at(-1)
  if (last?.role !== 'user') return { questionCount: 0, fetchCount: 0 }
  const text = last.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' ')
  const [, verb, count = 1] = /^(ask|fetch)(?: (\d+))?$/.exec(text) ?? []
  return {
    questionCount: verb === 'ask' ? Number(count) : 0,
    fetchCount: verb === 'fetch' ? Number(count) : 0
  }
}

const streamOf = (parts: Iterable<LanguageModelV4StreamPart>) =>
  new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    }
  })

function* sentence(): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: '0' }
  yield {
    type: 'text-delta',
    id: '0',
    delta: 'That is done, and everything that belongs to it was looked at once more.'
  }
  yield { type: 'text-end', id: '0' }
  yield { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } }
}

function* call(
  toolName: string,
  inputs: readonly object[],
  id: string
): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const [n, input] of inputs.entries())
    yield { type: 'tool-call', toolCallId: `${id}_${n}`, toolName, input: JSON.stringify(input) }
  yield { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: 'tool_calls' } }
}
