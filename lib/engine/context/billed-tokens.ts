import type { Spent } from '#lib/engine/turn/turn.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'

/**
 * The tokens that a call of the model is charged for: those that the provider reported, or an estimate of what it did not report.
 * Otherwise a model that reports nothing, or an answer that is stopped before its end, would pass every spending cap.
 * `estimated`: the prompt's size by our own count.
 */
export const billedTokens = ({ usage, said }: Spent, estimated: number): Spent['usage'] => ({
  inputTokens: usage.inputTokens || Math.ceil(estimated),
  outputTokens: usage.outputTokens || countTokens(said)
})
