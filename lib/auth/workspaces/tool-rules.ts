import { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import { laneOf } from '#lib/kernel/threads/lane-of.ts'

const Patterns50 = z
  .array(
    z.string().min(1, 'an empty pattern matches everything').max(500, 'must have at most 500 characters')
  )
  .max(50, 'must have at most 50 patterns')

/**
 * What is denied, allowed and asked about before it runs (001-15). `tool`: whose calls; absent: every tool's. What the patterns
 * are is `checkPatterns`'s to judge.
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

/** Refuses patterns that cannot be looked for in linear time, or at all: which one, and what of it. */
export async function checkPatterns(ctx: Ctx, rules: ToolRules): Promise<void> {
  for (const [at, rule] of rules.entries())
    for (const list of ['deny', 'allow'] as const) {
      const patterns = rule[list] ?? []
      if (patterns.length === 0) continue
      const faults = await ctx.ports.patterns.faultsOf(patterns, laneOf(ctx))
      if (faults === undefined)
        throw invalid('These patterns take too long to check, so nothing was saved. Shorten them.', {
          [`toolRules.${at}.${list}`]: 'these patterns take too long to check: shorten them'
        })
      const found = faults.flatMap((fault, nth) =>
        fault === null ? [] : [[`toolRules.${at}.${list}.${nth}`, fault] as const]
      )
      const [first] = found
      if (first !== undefined)
        throw invalid(
          `"${first[0]}" is not a valid pattern: ${first[1]}. Nothing was saved.`,
          Object.fromEntries(found)
        )
    }
}
