import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { now } from './machine.ts'
import { slowAddresses } from './parallel-tools.ts'

/** When the model was asked, and what it was shown: so many messages. */
export type Asked = { at: number; messages: number; prompt: LanguageModelV4Prompt }

export type InstantModel = LanguageModelV4 & {
  /** Resolves at the next time that the model is asked. */
  next(): Promise<Asked>
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 }
}

/**
 * A model in this process that answers at once, so that what is measured is ours and not a provider's HTTP. A person
 * who writes `ask` is asked back (a call of `tool`), or with `ask 50` by fifty calls of a step; who writes `fetch 20` has twenty slow addresses fetched; everything else gets one sentence of usual length.
 */
export function instantModel(tool: string): InstantModel {
  let listeners: ((asked: Asked) => void)[] = []
  let count = 0
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'instant',
    supportedUrls: {},
    next: () => new Promise(resolve => listeners.push(resolve)),
    async doStream({ prompt }) {
      const heard = listeners
      listeners = []
      const asked = { at: now(), messages: prompt.length, prompt }
      for (const listener of heard) listener(asked)
      const { asks, fetches } = wishesOf(prompt)
      const inputs = fetches > 0 ? slowAddresses(fetches).map(url => ({ url })) : questions(asks)
      const name = fetches > 0 ? 'web-fetch' : tool
      return { stream: streamOf(inputs.length === 0 ? sentence() : call(name, inputs, `c${count++}`)) }
    },
    doGenerate: () => Promise.reject(new Error('The bench streams.'))
  }
}

const questions = (count: number) => Array.from({ length: count }, () => ({ question: 'Which of the two?' }))

/** How many calls the person's last words ask for: of questions, and of slow addresses. */
function wishesOf(prompt: LanguageModelV4Prompt): { asks: number; fetches: number } {
  const last = prompt.at(-1)
  if (last?.role !== 'user') return { asks: 0, fetches: 0 }
  const words = last.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' ')
  const [, verb, many = 1] = /^(ask|fetch)(?: (\d+))?$/.exec(words) ?? []
  return { asks: verb === 'ask' ? Number(many) : 0, fetches: verb === 'fetch' ? Number(many) : 0 }
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
