/** How a model is asked to sum up what leaves the prompt (001-17), so that the demo model knows it too. */
export const summaryRequest = 'Summarize the conversation in this element.'

/** What somebody said or did in it, on a line of its own: `[user] …`. */
export type Piece = { by: string; text: string }

/** The pieces as one text, in an element that nothing in them can end. */
export const summaryPrompt = (pieces: readonly Piece[]): string =>
  `${summaryRequest}\n\n<conversation>\n${pieces.map(({ by, text }) => `[${by}] ${closed(text)}`).join('\n')}\n</conversation>`

/** The pieces that such a text was made of; undefined: it asks for no summary. */
export function readSummaryPrompt(text: string): Piece[] | undefined {
  if (!text.startsWith(summaryRequest)) return undefined
  const inside = /<conversation>\n([\s\S]*)\n<\/conversation>/.exec(text)?.[1]
  return inside?.split(/\n(?=\[[^\]\n]+\] )/).flatMap(piece => {
    const [, by, text] = /^\[([^\]\n]+)\] ([\s\S]*)$/.exec(piece) ?? []
    return by === undefined || text === undefined ? [] : [{ by, text }]
  })
}

const closed = (text: string) => text.replace(/<(?=\/?conversation\b)/gi, '&lt;')
