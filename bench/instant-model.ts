import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { now } from './machine.ts'

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
 * who writes `ask` is asked back (a call of `tool`), or with `ask 50` by fifty calls of a step; everything else gets one sentence of usual length.
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
      const calls = callsFor(prompt)
      return { stream: streamOf(calls === 0 ? sentence() : call(tool, calls, `c${count++}`)) }
    },
    doGenerate: () => Promise.reject(new Error('The bench streams.'))
  }
}

/** How many calls the person's last words ask for. */
function callsFor(prompt: LanguageModelV4Prompt): number {
  const last = prompt.at(-1)
  if (last?.role !== 'user') return 0
  const words = last.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' ')
  return Number(
    /^ask(?: (\d+))?$/
      .exec(words)
      ?.slice(1)
      .map(many => many ?? 1)[0] ?? 0
  )
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

function* call(toolName: string, calls: number, id: string): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (let n = 0; n < calls; n++)
    yield { type: 'tool-call', toolCallId: `${id}_${n}`, toolName, input: '{"question":"Which of the two?"}' }
  yield { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: 'tool_calls' } }
}
