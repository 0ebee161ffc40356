import { countTokens } from '#lib/models/count-tokens.ts'
import type { FinishedStep } from '#lib/turn/turn.ts'

/**
 * The tokens that a step is charged for: those that the provider reported, or an estimate of what it did not report. Otherwise a
 * model that reports nothing would pass every spending cap. `estimated`: the prompt's size by our own count.
 */
export const billedTokens = (
  { usage, content }: Pick<FinishedStep, 'usage' | 'content'>,
  estimated: number
): FinishedStep['usage'] => ({
  inputTokens: usage.inputTokens || Math.ceil(estimated),
  outputTokens: usage.outputTokens || countTokens(JSON.stringify(content))
})
