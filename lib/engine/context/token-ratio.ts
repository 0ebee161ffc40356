import type { PromptUsage } from '#lib/protocol/session/prompt-usage.ts'

/** So many of the newest steps are asked: one that is off is outvoted. */
const steps = 5
/** Further off than this a report is of something else than the prompt: what was not cached, a constant, garbage. */
const believed = { least: 0.1, most: 10 }
/** What a correction comes to at most, whatever was reported. */
const bounds = { least: 0.5, most: 3 }

/**
 * What a token of the heuristic (001-17) really is for this model: the median of what its provider reported of the newest
 * prompts, against what had been counted for them. 1 as long as nothing was reported that can be true. `usage` is newest
 * first.
 */
export function tokenRatio(usage: readonly PromptUsage[], model: string): number {
  const ratios = usage
    .flatMap(step => (step.model === model ? [step.reported / step.estimated] : []))
    .filter(ratio => ratio >= believed.least && ratio <= believed.most)
    .slice(0, steps)
    .toSorted((a, b) => a - b)
  const middle = (ratios.length - 1) / 2
  const [low, high] = [ratios[Math.floor(middle)], ratios[Math.ceil(middle)]]
  if (low === undefined || high === undefined) return 1
  return Math.min(bounds.most, Math.max(bounds.least, (low + high) / 2))
}
