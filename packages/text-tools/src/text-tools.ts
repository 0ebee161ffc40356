import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FunctionTool
} from '@ai-sdk/provider'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import { CallReader } from './call-reader.ts'
import { describeTools } from './describe-tools.ts'
import { parseCallsStream, toToolCall, withCalls } from './read-stream.ts'
import { writePrompt } from './write-prompt.ts'

/**
 * Adds tool calling to a model that does not support it (001-14, docs/agents.md). The prompt describes the
 * tools as text, and calls that the model writes in that syntax become tool calls. The request contains no
 * tools and no tool messages. Without tools, the model's text is not parsed.
 */
export function textTools(model: LanguageModel): LanguageModel {
  if (typeof model === 'string')
    throw new Error(`"${model}" cannot be called, because it is only the name of a model.`)
  return wrapLanguageModel({
    model: model as LanguageModelV4,
    middleware: {
      async wrapStream({ model, params }) {
        const { tools, request } = asTextRequest(params)
        const result = await model.doStream(request)
        return tools.length === 0
          ? result
          : { ...result, stream: result.stream.pipeThrough(parseCallsStream()) }
      },
      async wrapGenerate({ model, params }) {
        const { tools, request } = asTextRequest(params)
        const result = await model.doGenerate(request)
        if (tools.length === 0) return result
        const content = result.content.flatMap(parseCalls)
        const hasCalls = content.some(({ type }) => type === 'tool-call')
        return {
          ...result,
          content,
          finishReason: hasCalls ? withCalls(result.finishReason) : result.finishReason
        }
      }
    }
  })
}

/** Returns the request without tools, and the tools that its prompt describes. */
function asTextRequest({ tools = [], toolChoice, prompt, ...options }: LanguageModelV4CallOptions): {
  tools: LanguageModelV4FunctionTool[]
  request: LanguageModelV4CallOptions
} {
  const described = toolChoice?.type === 'none' ? [] : tools.filter(tool => tool.type === 'function')
  return {
    tools: described,
    request: {
      ...options,
      prompt: writePrompt(prompt, described.length === 0 ? '' : describeTools(described))
    }
  }
}

function parseCalls(part: LanguageModelV4Content): LanguageModelV4Content[] {
  if (part.type !== 'text') return [part]
  const reader = new CallReader()
  return [...reader.read(part.text), ...reader.end()].map(item =>
    item.type === 'call' ? toToolCall(item) : { ...part, text: item.text }
  )
}
