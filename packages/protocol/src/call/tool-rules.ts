import { z } from 'zod'

const Patterns50 = z
  .array(
    z.string().min(1, 'an empty pattern matches everything').max(500, 'must have at most 500 characters')
  )
  .max(50, 'must have at most 50 patterns')

/**
 * Rules that deny a call, allow it or require approval (001-15). Without `tool`, a rule applies to all tools.
 * The server checks the patterns when it stores a rule.
 */
export const ToolRules = z
  .array(
    z.strictObject({
      tool: z
        .string()
        .trim()
        .min(1, 'name a tool, or omit this field to match every tool')
        .max(200)
        .optional(),
      mode: z.enum(['auto', 'ask']).optional(),
      deny: Patterns50.optional(),
      allow: Patterns50.optional()
    })
  )
  .max(100, 'must have at most 100 rules')
export type ToolRules = z.infer<typeof ToolRules>

/**
 * A rule of a workspace that is applied before a call runs (001-15, docs/approvals.md). Without `tool`, it applies to
 * all tools. `deny` and `allow` are patterns that are matched against `{"parameters":…,"tool":…}`
 * (`features/approvals/evaluate-rules.ts`).
 */
export type ToolRule = { tool?: string; mode?: ToolMode; deny?: string[]; allow?: string[] }

/** Decides calls that no pattern matches: `auto` runs them at once, `ask` asks for approval. */
export type ToolMode = 'auto' | 'ask'

/** A call to test against rules, which need not be saved. */
export const TestToolRules = z.strictObject({
  toolRules: ToolRules,
  tool: z.string().trim().min(1, 'name a tool').max(200),
  parameters: z.record(z.string(), z.unknown()).default({})
})
export type TestToolRules = z.infer<typeof TestToolRules>

/**
 * The decision of rules for a call. `unsure`: the arguments could not be searched, so the call needs approval. `agent`: no
 * rule decides, so the agent's setting does. `pattern` is the pattern that decided.
 */
export const ToolRulesTest = z.object({
  decision: z.enum(['denied', 'allowed', 'ask', 'auto', 'unsure', 'agent']),
  pattern: z.string().optional()
})
export type ToolRulesTest = z.infer<typeof ToolRulesTest>
