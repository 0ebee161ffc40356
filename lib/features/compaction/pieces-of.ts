import type { ModelMessage } from 'ai'
import type { Piece } from '#lib/kernel/ports/summary-request.ts'

/** A result of many pages says in its first and last words what is to be kept of it. */
const longest = { first: 4000, last: 1000 }

/** A prompt as lines of text, for whoever sums it up: no call in it can be answered, and no file is sent again. */
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
  const { first, last } = longest
  if (text.length <= first + last) return text
  return `${text.slice(0, first).toWellFormed()} … ${text.slice(-last).toWellFormed()}`
}
