import { invalid } from '@waystation/base/api-error.ts'
import type { ToolRules } from '@waystation/protocol/call/tool-rules.ts'
import type { Ctx } from './ctx.ts'
import { laneOf } from './lane-of.ts'

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
