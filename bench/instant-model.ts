import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { now } from './machine.ts'

/** When the model was asked, and how many messages it was shown. */
export type Asked = { at: number; messages: number }

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
 * who writes `ask` is asked back (a call of `tool`); everything else gets one sentence of usual length.
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
      const asked = { at: now(), messages: prompt.length }
      for (const listener of heard) listener(asked)
      const last = prompt.at(-1)
      const asks =
        last?.role === 'user' && last.content.some(part => part.type === 'text' && part.text === 'ask')
      return { stream: streamOf(asks ? call(tool, `c${count++}`) : sentence()) }
    },
    doGenerate: () => Promise.reject(new Error('The bench streams.'))
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

function* call(toolName: string, toolCallId: string): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'tool-call', toolCallId, toolName, input: '{"question":"Which of the two?"}' }
  yield { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: 'tool_calls' } }
}
