import { createClient } from '@connectrpc/connect'
import { cancelSignal } from './cancel-signal.ts'
import { type CallOptions, type Channel, metadataOf } from './channel.ts'
import { explain } from './explain.ts'
import { type CompleteResponse, FinishReason, LLMProvider } from './generated/llm_pb.ts'
import { deadlines, limits } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import { checkText } from './untrusted.ts'

/** A message of the prompt for a plugin's model. */
export type ModelMessage = {
  role: 'system' | 'user' | 'assistant'
  content: string
  toolCalls?: { id: string; name: string; argumentsJson: string }[]
  /** If set, this message is the result of that call, sent with the role `user`. */
  toolCallId?: string
}

/** The input of `complete`. */
export type ModelRequest = {
  model: string
  messages: ModelMessage[]
  tools: { name: string; description: string; parameters: Record<string, unknown> }[]
  temperature?: number
  maxTokens?: number
  topP?: number
}

/**
 * A part of a model's response. In a `tool-call`, only the first part of a call has `name`, and `chunk` is a
 * piece of its JSON.
 */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name?: string; chunk: string }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'finish'; reason: 'stop' | 'tool-use' | 'max-tokens' | 'other' }

const reasons: Partial<Record<FinishReason, 'stop' | 'tool-use' | 'max-tokens'>> = {
  [FinishReason.STOP]: 'stop',
  [FinishReason.TOOL_USE]: 'tool-use',
  [FinishReason.MAX_TOKENS]: 'max-tokens'
}

/** Returns the model call of a plugin (003-10, 003-11). */
export function modelCalls(channel: Channel) {
  const client = createClient(LLMProvider, channel.transport)
  return {
    /**
     * Streams the model's response. The last part is a `finish`; anything after it is not read. The call is
     * canceled if `signal` aborts or the caller leaves the loop. Throws `PluginError`: `invalid` if the stream
     * ends without a `finish`, `late` if the plugin is silent for too long.
     */
    async *complete(
      { tools, maxTokens, temperature, topP, model, messages }: ModelRequest,
      { signal, timeoutMs = deadlines.complete.whole, ...origin }: CallOptions = {},
      silence = deadlines.complete.silence
    ): AsyncGenerator<ModelPart> {
      const done = new AbortController()
      const cancel = cancelSignal(signal)
      const stopped = AbortSignal.any([done.signal, cancel.signal])
      let silent = false
      let responses: AsyncIterator<CompleteResponse> | undefined
      try {
        channel.admit()
        const request = {
          model,
          messages,
          availableTools: tools.map(({ parameters, ...tool }) => ({
            ...tool,
            parametersJsonSchema: JSON.stringify(parameters)
          })),
          ...(temperature === undefined ? {} : { temperature }),
          ...(maxTokens === undefined ? {} : { maxTokens }),
          ...(topP === undefined ? {} : { topP })
        }
        responses = client
          .complete(request, { signal: stopped, timeoutMs, headers: metadataOf(origin) })
          [Symbol.asyncIterator]()
        for (let budget = limits.completion; ; ) {
          const timer = setTimeout(() => {
            silent = true
            done.abort()
          }, silence)
          const next = await responses.next().finally(() => clearTimeout(timer))
          if (next.done)
            throw new PluginError('invalid', "The plugin's response ended without a finish event.")
          const part = partOf(next.value)
          if (part === undefined) continue
          budget -=
            part.type === 'text' ? part.text.length : part.type === 'tool-call' ? part.chunk.length + 1 : 1
          if (budget < 0) throw new PluginError('too-large', "The plugin's response is too long.")
          yield part
          if (part.type === 'finish') return
        }
      } catch (error) {
        if (silent)
          throw new PluginError('late', 'The plugin stopped sending its response.', { cause: error })
        throw explain(error, signal)
      } finally {
        done.abort()
        cancel.release()
        // The library clears the timer of the deadline when a read notices the abort.
        responses?.next().catch(() => undefined)
      }
    }
  }
}

/** Returns undefined for an unknown kind of part. */
function partOf({ event }: CompleteResponse): ModelPart | undefined {
  switch (event.case) {
    case 'delta':
      return { type: 'text', text: checkText(event.value.content, limits.completion, 'A piece of text') }
    case 'toolCallDelta': {
      const { id, name, argumentsChunk } = event.value
      return {
        type: 'tool-call',
        id: checkText(id, limits.callId, 'The ID of a tool call'),
        ...(name === '' ? {} : { name: checkText(name, limits.toolName, 'The name of a tool') }),
        chunk: checkText(argumentsChunk, limits.completion, 'A piece of a tool call')
      }
    }
    case 'usage': {
      const { inputTokens, outputTokens } = event.value
      return { type: 'usage', inputTokens: Math.max(0, inputTokens), outputTokens: Math.max(0, outputTokens) }
    }
    case 'finish':
      return { type: 'finish', reason: reasons[event.value.reason] ?? 'other' }
    default:
      return undefined
  }
}
