import type { ModelMessage, ToolResultPart } from 'ai'

/**
 * Rewrites a prompt for models that reject a user message after tool results (004-9, B). Such a message is
 * appended to the last result, and a person's text gets its own element, `user_message`. A message with a
 * file cannot be in a result, so a fixed assistant message precedes it. All results become text.
 */
export function moveMessagesIntoResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const output: ModelMessage[] = []
  for (const message of messages) {
    const last = output.at(-1)
    const text = message.role === 'user' ? textOfUser(message.content) : undefined
    if (last?.role === 'tool' && text !== undefined) output[output.length - 1] = appendToResults(last, text)
    else if (last?.role === 'tool' && message.role === 'user') output.push(separator, message)
    else if (message.role === 'tool')
      output.push({
        role: 'tool',
        content: message.content.map(part => (part.type === 'tool-result' ? asText(part) : part))
      })
    else output.push(message)
  }
  return output
}

/** Separates tool results from a message with a file. */
const separator: ModelMessage = {
  role: 'assistant',
  content: 'I have the results. I will read the next message.'
}

type Content = Extract<ModelMessage, { role: 'user' }>['content']
type Results = Extract<ModelMessage, { role: 'tool' }>

/**
 * Returns a message's text. The system's elements are strings; a person's text consists of parts. Undefined
 * if the message contains a file.
 */
function textOfUser(content: Content): string | undefined {
  if (typeof content === 'string') return content
  const texts = content.flatMap(part => (part.type === 'text' ? [part.text] : []))
  return texts.length < content.length ? undefined : `<user_message>\n${texts.join('\n')}\n</user_message>`
}

function appendToResults(results: Results, text: string): Results {
  const lastIndex = results.content.findLastIndex(part => part.type === 'tool-result')
  return {
    ...results,
    content: results.content.map((part, n) =>
      n === lastIndex && part.type === 'tool-result'
        ? { ...part, output: appendText(part.output, text) }
        : part
    )
  }
}

function appendText(output: ToolResultPart['output'], text: string): ToolResultPart['output'] {
  if (output.type === 'text' || output.type === 'error-text')
    return { ...output, value: `${output.value}\n\n${text}` }
  return output
}

function asText(part: ToolResultPart): ToolResultPart {
  const { output } = part
  switch (output.type) {
    case 'text':
    case 'error-text':
      return part
    case 'execution-denied': {
      const reason = output.reason === undefined ? '' : `: ${output.reason}`
      return { ...part, output: { type: 'error-text', value: `Denied${reason}` } }
    }
    default:
      return { ...part, output: { type: 'text', value: JSON.stringify(output.value) } }
  }
}

/** Escapes the elements that only the system can write, so that a text cannot forge them. */
export const escapeElements = (text: string) =>
  text.replace(
    /<(?=\/?(?:call_answer|note|earlier_conversation|out_of_band|user_message|attached_file)\b)/gi,
    '&lt;'
  )
