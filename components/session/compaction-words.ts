import type { Compaction } from '#lib/protocol/compaction.ts'

const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** "38k": tokens, as few letters as will do. */
export const roughly = (tokens: number): string => short.format(tokens).toLowerCase()

/** "12 messages summarised · 38k → 1.2k tokens". */
export const compactionWords = ({ messages, tokensBefore, tokensAfter }: Compaction): string =>
  `${messages === 1 ? '1 message' : `${messages} messages`} summarised · ${roughly(tokensBefore)} → ${roughly(tokensAfter)} tokens`

/** By what the summary was made, a sentence. */
export function makerWords({ madeBy, model, problem, ms }: Compaction): string {
  if (madeBy === 'model')
    return `By the model ${model ?? ''} in ${(ms / 1000).toFixed(1)} s. The messages above stay as they are; the agent is shown this in their place.`
  const words = 'The first words of what people asked, without a model.'
  return problem === undefined ? words : `${words} The model’s summary was not taken: ${problem}`
}
