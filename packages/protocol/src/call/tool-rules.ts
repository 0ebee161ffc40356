/**
 * A rule of a workspace that is applied before a call runs (001-15, docs/approvals.md). Without `tool`, it applies to
 * all tools. `deny` and `allow` are patterns that are matched against `{"parameters":…,"tool":…}`
 * (`features/approvals/evaluate-rules.ts`).
 */
export type ToolRule = { tool?: string; mode?: ToolMode; deny?: string[]; allow?: string[] }

/** Decides calls that no pattern matches: `auto` runs them at once, `ask` asks for approval. */
export type ToolMode = 'auto' | 'ask'
