import type { LanguageModelV4ToolCallPart, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { callTag, parallelTag, resultTag, withoutTags } from './tags.ts'

type Call = Pick<LanguageModelV4ToolCallPart, 'toolName' | 'input'>
type Result = Pick<LanguageModelV4ToolResultPart, 'toolCallId' | 'toolName' | 'output'>

/** The maximum length of a result (001-14) and of its repeated parameters, in characters. */
const maxChars = { result: 32_000, parameters: 1000 }

/** Writes calls as the model does: a single call alone, several calls in one element. */
export function writeCalls(calls: readonly Call[]): string {
  const elements = calls.map(({ toolName, input }) => {
    // Escape `<`, so that arguments that quote this syntax do not end their call.
    const body = JSON.stringify(input ?? {}).replaceAll('<', '\\u003c')
    return `<${callTag} name="${attribute(toolName)}">${body}</${callTag}>`
  })
  return calls.length === 1
    ? elements.join('')
    : `<${parallelTag}>\n${elements.join('\n')}\n</${parallelTag}>`
}

/** Writes the result of a call, with the call's arguments if they are known. Tags in the result are escaped. */
export function writeResult({ toolCallId, toolName, output }: Result, input: unknown): string {
  const lines = [
    `Tool: ${toolName}`,
    ...(input === undefined ? [] : [`Parameters: ${shortened(JSON.stringify(input))}`]),
    resultLine(output)
  ]
  const text = withoutTags(truncated(lines.join('\n')))
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

const truncated = (text: string): string =>
  text.length <= maxChars.result
    ? text
    : `${text.slice(0, maxChars.result).toWellFormed()}\n[Truncated: the first ${maxChars.result} of ${text.length} characters.]`

const shortened = (text: string): string =>
  text.length <= maxChars.parameters ? text : `${text.slice(0, maxChars.parameters).toWellFormed()}…`

const attribute = (text: string): string => text.replace(/["'<>\s]/g, '')
