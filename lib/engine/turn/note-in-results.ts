import type { ModelMessage, ToolResultPart } from 'ai'

/**
 * The prompt for a model that refuses a user message right behind tool results (004-9, B): what would stand there is written
 * at the end of the last result instead, in its element; the person's own words in one of their own, `user_message`. A message
 * with a file cannot stand in a result: words of the agent's own come between. Results are text then.
 */
export function noteInResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const told: ModelMessage[] = []
  for (const message of messages) {
    const last = told.at(-1)
    const words = message.role === 'user' ? wordsOf(message.content) : undefined
    if (last?.role === 'tool' && words !== undefined) told[told.length - 1] = withWords(last, words)
    else if (last?.role === 'tool' && message.role === 'user') told.push(between, message)
    else if (message.role === 'tool')
      told.push({
        role: 'tool',
        content: message.content.map(part => (part.type === 'tool-result' ? asText(part) : part))
      })
    else told.push(message)
  }
  return told
}

/** What stands between results and a message with a file. */
const between: ModelMessage = {
  role: 'assistant',
  content: 'I have the results. I will read the next message.'
}

type Content = Extract<ModelMessage, { role: 'user' }>['content']
type Results = Extract<ModelMessage, { role: 'tool' }>

/** Our own elements are strings, a person's words are parts. */
function wordsOf(content: Content): string | undefined {
  if (typeof content === 'string') return content
  const texts = content.flatMap(part => (part.type === 'text' ? [part.text] : []))
  return texts.length < content.length ? undefined : `<user_message>\n${texts.join('\n')}\n</user_message>`
}

function withWords(results: Results, words: string): Results {
  const at = results.content.findLastIndex(part => part.type === 'tool-result')
  return {
    ...results,
    content: results.content.map((part, n) =>
      n === at && part.type === 'tool-result' ? { ...part, output: ending(part.output, words) } : part
    )
  }
}

function ending(output: ToolResultPart['output'], words: string): ToolResultPart['output'] {
  if (output.type === 'text' || output.type === 'error-text')
    return { ...output, value: `${output.value}\n\n${words}` }
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

/** Text in which the elements that only the system writes cannot be forged. */
export const unforged = (text: string) =>
  text.replace(
    /<(?=\/?(?:call_answer|note|earlier_conversation|out_of_band|user_message|attached_file)\b)/gi,
    '&lt;'
  )
