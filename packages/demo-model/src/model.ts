import { randomUUID } from 'node:crypto'
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4FunctionTool,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type SharedV4Warning
} from '@ai-sdk/provider'
import { decide } from './decide.ts'
import type { Part } from './part.ts'
import { promptTokens } from './prompt-tokens.ts'
import { readable } from './server.ts'
import { streamParts } from './stream-parts.ts'

/**
 * Creates the demo model, which follows fixed rules (docs/api.md#demo-model). It implements the AI SDK's provider
 * interface, for installations without a model key and for tests. It has no state and sends no requests. It obeys
 * only what a user wrote, never a tool result. `now` returns milliseconds since 1970.
 *
 * The user can make it fail like a provider. `fail <status>` throws an `APICallError` before the stream starts.
 * `fail cut` ends the stream without a `finish` part, and `doGenerate` then throws an `APICallError`. A repeated step
 * fails again until a new user message or a critical out-of-band message arrives. An aborted `abortSignal` throws its
 * reason.
 */
export function demoModel({ now = Date.now }: { now?: () => number } = {}): LanguageModelV4 {
  function stream(options: LanguageModelV4CallOptions): AsyncGenerator<LanguageModelV4StreamPart> {
    options.abortSignal?.throwIfAborted()
    const parts = decide(options.prompt, offered(options), now())
    throwIfAsked(parts)
    return streamParts(parts, promptTokens(options), options.abortSignal)
  }

  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'demo',
    supportedUrls: {},

    async doStream(options) {
      const warnings = warningsFor(options)
      return { stream: readable(withStart(stream(options), warnings, new Date(now()))) }
    },

    async doGenerate(options): Promise<LanguageModelV4GenerateResult> {
      const content: LanguageModelV4Content[] = []
      for await (const part of stream(options)) {
        const last = content.at(-1)
        if (part.type === 'text-start') content.push({ type: 'text', text: '' })
        if (part.type === 'text-delta' && last?.type === 'text') last.text += part.delta
        if (part.type === 'tool-call') content.push(part)
        if (part.type === 'finish') {
          return {
            content,
            finishReason: part.finishReason,
            usage: part.usage,
            warnings: warningsFor(options)
          }
        }
      }
      throw failure({ message: 'The demo model cut off its answer, as requested.' })
    }
  }
}

async function* withStart(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
  warnings: SharedV4Warning[],
  timestamp: Date
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings }
  yield { type: 'response-metadata', id: `demo-${randomUUID()}`, modelId: 'demo', timestamp }
  yield* parts
}

const offered = ({ tools = [], toolChoice }: LanguageModelV4CallOptions): LanguageModelV4FunctionTool[] =>
  toolChoice?.type === 'none' ? [] : tools.filter(tool => tool.type === 'function')

/** Warns about JSON output and forced tool calls. The model ignores other settings without a warning. */
function warningsFor({ responseFormat, toolChoice }: LanguageModelV4CallOptions): SharedV4Warning[] {
  const warnings: SharedV4Warning[] = []
  if (responseFormat?.type === 'json') warnings.push({ type: 'unsupported', feature: 'responseFormat' })
  if (toolChoice?.type === 'required' || toolChoice?.type === 'tool') {
    warnings.push({ type: 'unsupported', feature: 'toolChoice' })
  }
  return warnings
}

function throwIfAsked(parts: readonly Part[]): void {
  const fail = parts.find(part => part.kind === 'fail')
  if (!fail) return
  throw failure({
    message: `The demo model failed with ${fail.status}, as requested.`,
    statusCode: fail.status,
    responseHeaders: fail.retryAfter === undefined ? {} : { 'retry-after': String(fail.retryAfter) }
  })
}

const failure = (error: { message: string; statusCode?: number; responseHeaders?: Record<string, string> }) =>
  new APICallError({ url: 'demo:', requestBodyValues: {}, ...error })
