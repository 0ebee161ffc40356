import type { TestToolRules, ToolRulesTest } from '@waystation/protocol/call/tool-rules.ts'
import { checkPatterns } from '#lib/kernel/check-patterns.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { evaluateRules } from './evaluate-rules.ts'
import { patternSearchFor } from './rules-of-call.ts'

/** Evaluates rules for a call as the server does before the call runs, without a call. */
export async function testToolRules(ctx: Ctx, input: TestToolRules): Promise<ToolRulesTest> {
  const { toolRules, ...call } = input
  await checkPatterns(ctx, toolRules)
  const verdict = await evaluateRules(toolRules, call, patternSearchFor(ctx))
  if (verdict.is === 'left') return { decision: verdict.mode ?? 'agent' }
  return verdict.is === 'unsure' ? { decision: 'unsure' } : { decision: verdict.is, pattern: verdict.pattern }
}
