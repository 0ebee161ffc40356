import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage
} from '@ai-sdk/provider'
import { newId } from '@waystation/base/ids.ts'
import { KnownError } from '@waystation/base/known-error.ts'
import { log } from '@waystation/base/log.ts'
import { ModelNotConfigured } from '#lib/models/provider.ts'
import { toReadableStream } from '#lib/models/to-readable-stream.ts'
import type {
  Handler,
  HandlerMessage,
  HandlerPart,
  HandlerPrompt,
  HandlerStep
} from '#lib/plugins/handler.ts'
import type { Plugins } from '#lib/plugins/load-plugins.ts'

/** A handler failed. The message is for the user; the log has the cause. */
class HandlerError extends KnownError {
  static override readonly kind: string = 'HandlerError'
}

/** Returns the handler with an ID of the form `plugin/handler`. Throws `ModelNotConfigured` if there is none. */
export function handlerOf(plugins: Plugins, id: string): Handler {
  const [plugin = '', name = ''] = id.split('/')
  const handlers = plugins.get(plugin)?.handlers ?? {}
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
  if (handler !== undefined) return handler
  throw new ModelNotConfigured(
    `This server has no handler "${id}". Choose another one in the agent's settings, or install its plugin.`
  )
}

/**
 * Returns a handler as a model, so that a step that it answers is stored, streamed, billed and approved like any other.
 * `inner` is the agent's own model.
 */
export const handlerModel = (
  id: string,
  handler: Handler,
  inner: LanguageModelV4,
  origin: Pick<HandlerStep, 'workspaceId' | 'sessionId' | 'agentId'>
): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: `handler:${id}`,
  modelId: inner.modelId,
  supportedUrls: inner.supportedUrls,
  async doStream(options) {
    const calls = modelCalls(inner, options)
    const signal = options.abortSignal ?? new AbortController().signal
    const parts = handler({ ...origin, ...promptOf(options), signal, model: calls.model })
    const explain = (error: unknown) =>
      error === calls.error || signal.aborted ? error : handlerError(id, error)
    return { stream: toReadableStream(toStream(parts, calls, explain)) }
  },
  async doGenerate() {
    throw new Error('Handlers support only streaming.')
  }
})

function promptOf({ prompt, tools = [] }: LanguageModelV4CallOptions): HandlerPrompt {
  return {
    instructions: prompt.flatMap(message => (message.role === 'system' ? message.content : [])).join('\n\n'),
    messages: prompt.filter((message): message is HandlerMessage => message.role !== 'system'),
    tools: tools.flatMap(tool =>
      tool.type === 'function'
        ? { name: tool.name, description: tool.description ?? '', inputSchema: { ...tool.inputSchema } }
        : []
    )
  }
}

/** Returns the handler's access to the model, and the totals of its calls. */
function modelCalls(inner: LanguageModelV4, options: LanguageModelV4CallOptions) {
  const calls = {
    usages: [] as LanguageModelV4Usage[],
    finishReason: undefined as LanguageModelV4FinishReason | undefined,
    /** The last error of the model. If the handler passes it on, it is described and retried as usual. */
    error: undefined as unknown,
    async *model(changes: Partial<HandlerPrompt> = {}): AsyncGenerator<LanguageModelV4StreamPart> {
      try {
        yield* read(changes)
      } catch (error) {
        calls.error = error
        throw error
      }
    }
  }
  async function* read(changes: Partial<HandlerPrompt>): AsyncGenerator<LanguageModelV4StreamPart> {
    // A stream without an end is an answer that was cut off.
    calls.finishReason = { unified: 'other', raw: undefined }
    const { instructions, messages, tools } = { ...promptOf(options), ...changes }
    const { stream } = await inner.doStream({
      ...options,
      prompt: [{ role: 'system', content: instructions }, ...messages],
      tools: tools.map(tool => ({ type: 'function' as const, ...tool }))
    })
    // Several calls in one step can use the same IDs.
    const prefix = newId('part')
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'finish') {
        calls.usages.push(part.usage)
        calls.finishReason = part.finishReason
      } else if ('toolCallId' in part) yield { ...part, toolCallId: `${prefix}-${part.toolCallId}` }
      else if ('id' in part) yield { ...part, id: `${prefix}-${part.id}` } as LanguageModelV4StreamPart
      else if (part.type !== 'stream-start') yield part
    }
  }
  return calls
}

async function* toStream(
  parts: AsyncIterable<HandlerPart>,
  calls: ReturnType<typeof modelCalls>,
  explain: (error: unknown) => unknown
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  let text: string | undefined
  let hasCalls = false
  try {
    for await (const part of parts) {
      if (typeof part === 'string') {
        if (text === undefined) {
          text = newId('text')
          yield { type: 'text-start', id: text }
        }
        yield { type: 'text-delta', id: text, delta: part }
        continue
      }
      if (text !== undefined) yield { type: 'text-end', id: text }
      text = undefined
      const isModelPart = 'type' in part
      hasCalls ||= !isModelPart || part.type === 'tool-call'
      if (isModelPart) yield part
      else yield* toCall(part)
    }
  } catch (error) {
    yield { type: 'error', error: explain(error) }
    return
  }
  if (text !== undefined) yield { type: 'text-end', id: text }
  const { unified = 'stop', raw } = calls.finishReason ?? {}
  const finishReason =
    hasCalls && unified !== 'other' ? { unified: 'tool-calls' as const, raw } : { unified, raw }
  yield { type: 'finish', finishReason, usage: sum(calls.usages) }
}

function* toCall({
  toolName,
  input
}: {
  toolName: string
  input: unknown
}): Generator<LanguageModelV4StreamPart> {
  const toolCallId = newId('call')
  const json = JSON.stringify(input ?? {})
  yield { type: 'tool-input-start', id: toolCallId, toolName }
  yield { type: 'tool-input-delta', id: toolCallId, delta: json }
  yield { type: 'tool-input-end', id: toolCallId }
  yield { type: 'tool-call', toolCallId, toolName, input: json }
}

/** Logs an error of a handler, and returns the error for the user. */
function handlerError(id: string, error: unknown): HandlerError {
  log('warn', 'a handler failed', { handler: id, error })
  return new HandlerError(`The handler "${id}" failed. The server's log has the reason.`, { cause: error })
}

const sum = (usages: readonly LanguageModelV4Usage[]): LanguageModelV4Usage => {
  const total = (of: (usage: LanguageModelV4Usage) => number | undefined) =>
    usages.reduce((tokens, usage) => tokens + (of(usage) ?? 0), 0)
  return {
    inputTokens: {
      total: total(({ inputTokens }) => inputTokens.total),
      noCache: total(({ inputTokens }) => inputTokens.noCache),
      cacheRead: total(({ inputTokens }) => inputTokens.cacheRead),
      cacheWrite: total(({ inputTokens }) => inputTokens.cacheWrite)
    },
    outputTokens: {
      total: total(({ outputTokens }) => outputTokens.total),
      text: total(({ outputTokens }) => outputTokens.text),
      reasoning: total(({ outputTokens }) => outputTokens.reasoning)
    }
  }
}
