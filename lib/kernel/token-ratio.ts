import type { PromptUsage } from '@waystation/protocol/session/prompt-usage.ts'

/** Number of newest reports to use. The median of five outvotes a single outlier. */
const maxReports = 5
/**
 * A ratio outside this range does not describe the prompt: for example, a count without cached tokens, a
 * constant, or garbage.
 */
const plausible = { least: 0.1, most: 10 }
/** Limits of the returned ratio. */
const bounds = { least: 0.5, most: 3 }

/**
 * Returns the number of real tokens per estimated token for this model (001-17). The ratio is the median of
 * reported to estimated prompt tokens over the newest steps, or 1 if there is no plausible report. `usage` is
 * ordered newest first.
 */
export function tokenRatio(usage: readonly PromptUsage[], model: string): number {
  const ratios = usage
    .flatMap(step => (step.model === model ? [step.reported / step.estimated] : []))
    .filter(ratio => ratio >= plausible.least && ratio <= plausible.most)
    .slice(0, maxReports)
    .toSorted((a, b) => a - b)
  const middle = (ratios.length - 1) / 2
  const [low, high] = [ratios[Math.floor(middle)], ratios[Math.ceil(middle)]]
  if (low === undefined || high === undefined) return 1
  return Math.min(bounds.most, Math.max(bounds.least, (low + high) / 2))
}
