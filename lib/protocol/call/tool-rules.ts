/**
 * What a workspace says of its agents' calls before they run (001-15, docs/approvals.md). `tool`: whose calls; absent: every
 * tool's. `deny` and `allow`: patterns that are looked for in `{"parameters":…,"tool":…}`
 * (`features/approvals/evaluate-rules.ts`).
 */
export type ToolRule = { tool?: string; mode?: ToolMode; deny?: string[]; allow?: string[] }

/** Whether a call that no pattern decides runs at once or is asked about. */
export type ToolMode = 'auto' | 'ask'
