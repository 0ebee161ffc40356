import { invalid } from '@waystation/base/api-error.ts'
import { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'

const Patterns50 = z
  .array(
    z.string().min(1, 'an empty pattern matches everything').max(500, 'must have at most 500 characters')
  )
  .max(50, 'must have at most 50 patterns')

/**
 * Rules that deny a call, allow it or require approval (001-15). Without `tool`, a rule applies to all tools.
 * `checkPatterns` validates the patterns.
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
 * Throws `INVALID_INPUT` for invalid patterns and for those that cannot be matched in linear time. The error names each
 * one.
 */
export async function checkPatterns(ctx: Ctx, rules: ToolRules): Promise<void> {
  for (const [index, rule] of rules.entries())
    for (const list of ['deny', 'allow'] as const) {
      const patterns = rule[list] ?? []
      if (patterns.length === 0) continue
      const errors = await ctx.ports.patterns.errorsOf(patterns, laneOf(ctx))
      if (errors === undefined)
        throw invalid('These patterns take too long to check, so nothing was saved. Shorten them.', {
          [`toolRules.${index}.${list}`]: 'these patterns take too long to check: shorten them'
        })
      const invalidPatterns = errors.flatMap((error, nth) =>
        error === null ? [] : [[`toolRules.${index}.${list}.${nth}`, error] as const]
      )
      const [first] = invalidPatterns
      if (first !== undefined)
        throw invalid(
          `"${first[0]}" is not a valid pattern: ${first[1]}. Nothing was saved.`,
          Object.fromEntries(invalidPatterns)
        )
    }
}
