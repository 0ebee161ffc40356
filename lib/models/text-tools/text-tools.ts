import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FunctionTool
} from '@ai-sdk/provider'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import { CallReader } from './call-reader.ts'
import { madeCall, readingCalls, withCalls } from './read-stream.ts'
import { tellTools } from './tell-tools.ts'
import { writePrompt } from './write-prompt.ts'

/**
 * A model that knows nothing of tool calling, as one that does (001-14, docs/agents.md): it is told of its tools in words, and
 * what it writes in their syntax are calls like any other model's. The request names no tools, and no message of it is a
 * tool's. Without tools, what it writes are words.
 */
export function textTools(model: LanguageModel): LanguageModel {
  if (typeof model === 'string')
    throw new Error(`"${model}" cannot be called, because it is only the name of a model.`)
  return wrapLanguageModel({
    model: model as LanguageModelV4,
    middleware: {
      async wrapStream({ model, params }) {
        const { tools, asked } = inWords(params)
        const result = await model.doStream(asked)
        return tools.length === 0 ? result : { ...result, stream: result.stream.pipeThrough(readingCalls()) }
      },
      async wrapGenerate({ model, params }) {
        const { tools, asked } = inWords(params)
        const result = await model.doGenerate(asked)
        if (tools.length === 0) return result
        const content = result.content.flatMap(withCallsRead)
        const called = content.some(({ type }) => type === 'tool-call')
        return {
          ...result,
          content,
          finishReason: called ? withCalls(result.finishReason) : result.finishReason
        }
      }
    }
  })
}

/** What the model is asked instead. */
function inWords({ tools = [], toolChoice, prompt, ...options }: LanguageModelV4CallOptions): {
  tools: LanguageModelV4FunctionTool[]
  asked: LanguageModelV4CallOptions
} {
  const told = toolChoice?.type === 'none' ? [] : tools.filter(tool => tool.type === 'function')
  return {
    tools: told,
    asked: { ...options, prompt: writePrompt(prompt, told.length === 0 ? '' : tellTools(told)) }
  }
}

function withCallsRead(part: LanguageModelV4Content): LanguageModelV4Content[] {
  if (part.type !== 'text') return [part]
  const reader = new CallReader()
  return [...reader.read(part.text), ...reader.end()].map(said =>
    said.type === 'call' ? madeCall(said) : { ...part, text: said.text }
  )
}
