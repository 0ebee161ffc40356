import type { LanguageModelV4ToolCallPart, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { callTag, resultTag, severalTag, withoutTags } from './tags.ts'

type Call = Pick<LanguageModelV4ToolCallPart, 'toolName' | 'input'>
type Result = Pick<LanguageModelV4ToolResultPart, 'toolCallId' | 'toolName' | 'output'>

/** Characters of a result that the model is told (001-14), and of the arguments that it repeats. */
const longest = { result: 32_000, parameters: 1000 }

/** Calls as the model writes them: one alone, several in one element. */
export function writeCalls(calls: readonly Call[]): string {
  const written = calls.map(({ toolName, input }) => {
    // No `<` in them, so that arguments that quote this protocol do not end their call.
    const body = JSON.stringify(input ?? {}).replaceAll('<', '\\u003c')
    return `<${callTag} name="${attribute(toolName)}">${body}</${callTag}>`
  })
  return calls.length === 1 ? written.join('') : `<${severalTag}>\n${written.join('\n')}\n</${severalTag}>`
}

/** What a call came to, with what it was called with, if that is still there. Nothing in it ends it or begins another. */
export function writeResult({ toolCallId, toolName, output }: Result, input: unknown): string {
  const lines = [
    `Tool: ${toolName}`,
    ...(input === undefined ? [] : [`Parameters: ${shortened(JSON.stringify(input))}`]),
    resultLine(output)
  ]
  const text = withoutTags(cut(lines.join('\n')))
  return `<${resultTag} id="${attribute(toolCallId)}">\n${text}\n</${resultTag}>`
}

function resultLine(output: Result['output']): string {
  switch (output.type) {
    case 'text':
      return `Result: ${output.value}`
    case 'json':
      return `Result: ${JSON.stringify(output.value)}`
    case 'error-text':
      return `Error: ${output.value}`
    case 'error-json':
      return `Error: ${JSON.stringify(output.value)}`
    case 'execution-denied':
      return `Error: ${output.reason === undefined ? 'Denied.' : `Denied: ${output.reason}`}`
    case 'content':
      return `Result: ${output.value.map(part => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')}`
  }
}

const cut = (text: string): string =>
  text.length <= longest.result
    ? text
    : `${text.slice(0, longest.result).toWellFormed()}\n[Truncated: the first ${longest.result} of ${text.length} characters.]`

const shortened = (text: string): string =>
  text.length <= longest.parameters ? text : `${text.slice(0, longest.parameters).toWellFormed()}…`

const attribute = (text: string): string => text.replace(/["'<>\s]/g, '')
