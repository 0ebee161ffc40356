import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { quote } from './quote.ts'
import { type Piece, readSummaryPrompt } from './server.ts'

/** How many of what people asked, and of what the demo model said, are kept: the newest. */
const kept = { asked: 8, said: 3 }

/**
 * What the demo model makes of being asked to sum up what leaves the prompt (001-17): what was asked, which tools were used, its
 * own last words, and what the summary before said. undefined: it is asked for something else.
 */
export function sumUp(prompt: LanguageModelV4Prompt): string | undefined {
  const last = prompt.at(-1)
  if (last?.role !== 'user') return undefined
  const pieces = readSummaryPrompt(last.content.map(part => (part.type === 'text' ? part.text : '')).join(''))
  if (pieces === undefined) return undefined
  const before = pieces.find(isBefore)
  const people = pieces.filter(
    piece => piece.by === 'user' && !isBefore(piece) && !piece.text.startsWith('<')
  )
  const tools = [...new Set(pieces.flatMap(({ by }) => /^call of (.+)$/.exec(by)?.[1] ?? []))]
  const said = pieces.filter(({ by }) => by === 'assistant').slice(-kept.said)
  return [
    ...(before === undefined ? [] : [inside(before.text)]),
    ...people.slice(-kept.asked).map(({ text }) => `- asked: ${quote(text)}`),
    ...(tools.length === 0 ? [] : [`- used: ${tools.join(', ')}`]),
    ...said.map(({ text }) => `- answered: ${quote(text)}`)
  ]
    .join('\n')
    .slice(-1500)
    .toWellFormed()
}

const isBefore = ({ by, text }: Piece) => by === 'user' && text.startsWith('<earlier_conversation>')

const inside = (text: string) => text.replace(/<\/?earlier_conversation>/g, '').trim()
