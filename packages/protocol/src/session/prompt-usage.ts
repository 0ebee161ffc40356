/**
 * The prompt size of a committed step: `estimated` by the heuristic (001-17), and `reported` by the provider (0:
 * nothing plausible). `model` is the name in the agent's configuration. The provider read `cacheRead` of the reported
 * tokens from its cache, and wrote `cacheWrite` to it. `output` is the number of tokens that it generated, and `usd` the
 * cost of the step.
 */
export type PromptUsage = {
  model: string
  estimated: number
  reported: number
  cacheRead?: number
  cacheWrite?: number
  output?: number
  usd?: number
}
