import type { Compaction } from '@waystation/protocol/session/compaction.ts'

const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** Abbreviates a number of tokens: "38k". */
export const roughly = (tokens: number): string => short.format(tokens).toLowerCase()

/** Describes a compaction: "12 messages summarized · 38k → 1.2k tokens". */
export const compactionWords = ({ messages, tokensBefore, tokensAfter }: Compaction): string =>
  `${messages === 1 ? '1 message' : `${messages} messages`} summarized · ${roughly(tokensBefore)} → ${roughly(tokensAfter)} tokens`

/** Describes in a sentence how the summary was made. */
export function makerWords({ madeBy, model, problem, ms }: Compaction): string {
  if (madeBy === 'model')
    return `Summarized by ${model ?? 'the model'} in ${(ms / 1000).toFixed(1)} s. The agent sees this summary instead of the messages above.`
  const words = 'Built without a model from the start of each user message.'
  return problem === undefined ? words : `${words} The model's summary couldn't be used: ${problem}`
}
