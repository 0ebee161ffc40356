import type { ModelMessage } from 'ai'
import type { Piece } from '#lib/kernel/ports/summary-request.ts'

/** Characters that remain of a long text. The start and the end of a tool result are usually the most informative. */
const maxChars = { first: 4000, last: 1000 }

/** Converts a prompt to plain text for the summary. It has no open calls and no file content. */
export const piecesOf = (messages: readonly ModelMessage[]): Piece[] =>
  messages.flatMap(({ role, content }) => {
    if (typeof content === 'string') return [{ by: role, text: shortened(content) }]
    return content.flatMap((part): Piece[] => {
      switch (part.type) {
        case 'text':
          return [{ by: role, text: shortened(part.text) }]
        case 'file':
          return [{ by: role, text: `(file ${part.filename ?? ''} ${part.mediaType})` }]
        case 'tool-call':
          return [{ by: `call of ${part.toolName}`, text: shortened(JSON.stringify(part.input ?? null)) }]
        case 'tool-result':
          return [{ by: `result of ${part.toolName}`, text: shortened(JSON.stringify(part.output)) }]
        default:
          return []
      }
    })
  })

function shortened(text: string): string {
  const { first, last } = maxChars
  if (text.length <= first + last) return text
  return `${text.slice(0, first).toWellFormed()} … ${text.slice(-last).toWellFormed()}`
}
