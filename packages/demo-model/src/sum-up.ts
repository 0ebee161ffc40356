import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { quote } from './quote.ts'
import { type Piece, readSummaryPrompt } from './server.ts'

/** The maximum number of user messages and of the model's answers in a summary. It contains the newest ones. */
const MAX_ENTRIES = { asked: 8, answered: 3 }
const MAX_CHARS = 1500

/**
 * Returns a summary if the prompt asks for one (001-17), otherwise undefined. It contains the previous summary, the
 * user's messages, the names of used tools and the model's last answers. If it exceeds 1,500 characters, its beginning
 * is cut off.
 */
export function sumUp(prompt: LanguageModelV4Prompt): string | undefined {
  const last = prompt.at(-1)
  if (last?.role !== 'user') return undefined
  const pieces = readSummaryPrompt(last.content.map(part => (part.type === 'text' ? part.text : '')).join(''))
  if (pieces === undefined) return undefined
  const previous = pieces.find(isSummary)
  // A notice also has the user role and starts with its element.
  const userMessages = pieces.filter(
    piece => piece.by === 'user' && !isSummary(piece) && !piece.text.startsWith('<')
  )
  const tools = [...new Set(pieces.flatMap(({ by }) => /^call of (.+)$/.exec(by)?.[1] ?? []))]
  const answers = pieces.filter(({ by }) => by === 'assistant').slice(-MAX_ENTRIES.answered)
  return [
    ...(previous === undefined ? [] : [withoutTags(previous.text)]),
    ...userMessages.slice(-MAX_ENTRIES.asked).map(({ text }) => `- asked: ${quote(text)}`),
    ...(tools.length === 0 ? [] : [`- used: ${tools.join(', ')}`]),
    ...answers.map(({ text }) => `- answered: ${quote(text)}`)
  ]
    .join('\n')
    .slice(-MAX_CHARS)
    .toWellFormed()
}

const isSummary = ({ by, text }: Piece) => by === 'user' && text.startsWith('<earlier_conversation>')

const withoutTags = (text: string) => text.replace(/<\/?earlier_conversation>/g, '').trim()
