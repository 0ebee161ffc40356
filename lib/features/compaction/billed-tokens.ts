import type { Spent } from '#lib/engine/turn/turn.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'

/**
 * Returns the tokens to charge for a model call: the provider's counts, or estimates where it reported none.
 * Without estimates, a provider that reports nothing, or a stopped answer, would bypass every spending cap.
 *
 * @param estimated the engine's estimate of the prompt's tokens
 */
export const billedTokens = ({ usage, text }: Spent, estimated: number): Spent['usage'] => ({
  ...usage,
  inputTokens: usage.inputTokens || Math.ceil(estimated),
  outputTokens: usage.outputTokens || countTokens(text)
})
