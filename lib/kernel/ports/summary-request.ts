/**
 * The instruction for a summary of messages that leave the prompt (001-17). It is shared so that the demo model can
 * detect it.
 */
export const summaryRequest = 'Summarize the conversation in this element.'

/** One entry of the conversation, formatted as `[user] …`. */
export type Piece = { by: string; text: string }

/** Formats the entries as one text. The closing tag of its element cannot occur inside. */
export const summaryPrompt = (pieces: readonly Piece[]): string =>
  `${summaryRequest}\n\n<conversation>\n${pieces.map(({ by, text }) => `[${by}] ${escapeTags(text)}`).join('\n')}\n</conversation>`

/** Parses the text of `summaryPrompt`. Undefined if the text does not ask for a summary. */
export function readSummaryPrompt(text: string): Piece[] | undefined {
  if (!text.startsWith(summaryRequest)) return undefined
  const inside = /<conversation>\n([\s\S]*)\n<\/conversation>/.exec(text)?.[1]
  return inside?.split(/\n(?=\[[^\]\n]+\] )/).flatMap(piece => {
    const [, by, text] = /^\[([^\]\n]+)\] ([\s\S]*)$/.exec(piece) ?? []
    return by === undefined || text === undefined ? [] : [{ by, text }]
  })
}

const escapeTags = (text: string) => text.replace(/<(?=\/?conversation\b)/gi, '&lt;')
