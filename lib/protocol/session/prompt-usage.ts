/**
 * The prompt of one committed step: `estimated` by the heuristic (001-17), and as the provider `reported` it (0: it said
 * nothing that can be true). `model` as the agent names it.
 */
export type PromptUsage = { model: string; estimated: number; reported: number }
