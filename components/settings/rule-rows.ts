import type { ToolRule } from '@waystation/protocol/call/tool-rules.ts'
import { type Condition, conditionOf, patternOf } from './rule-patterns.ts'

export type Decision = 'deny' | 'allow' | 'ask'

/** A tool rule as a row: "When `tool` with `condition`, `decision`". Without a tool, it applies to all tools. */
export type RuleRow = { tool: string; condition: Condition; decision: Decision }

/** The most patterns of a list in a rule. */
const mostPatterns = 50

/** Returns the rules as rows, in the order in which the server searches patterns of a rule. */
export const rowsOf = (rules: readonly ToolRule[]): RuleRow[] =>
  rules.flatMap(({ tool = '', deny = [], allow = [], mode }) => [
    ...deny.map(pattern => ({ tool, condition: conditionOf(pattern, 'deny'), decision: 'deny' as const })),
    ...allow.map(pattern => ({ tool, condition: conditionOf(pattern, 'allow'), decision: 'allow' as const })),
    ...(mode === undefined
      ? []
      : [{ tool, condition: { kind: 'any' as const }, decision: mode === 'ask' ? 'ask' : 'allow' } as const])
  ])

/**
 * Returns the rules of rows. `paths` has the place of each row in the rules, as the server's errors name it. Rows of a tool
 * that follow one another share a rule, if it then means the same.
 */
export function rulesOf(rows: readonly RuleRow[]): { rules: ToolRule[]; paths: string[] } {
  const rules: ToolRule[] = []
  const paths: string[] = []
  for (const { tool, condition, decision } of rows) {
    const name = tool.trim() || undefined
    const isMode = decision === 'ask' || (decision === 'allow' && condition.kind === 'any')
    let rule = rules.at(-1)
    const fits =
      rule !== undefined &&
      rule.tool === name &&
      rule.mode === undefined &&
      !(decision === 'deny' && rule.allow !== undefined) &&
      (isMode || (rule[decision] ?? []).length < mostPatterns)
    if (rule === undefined || !fits) {
      rule = name === undefined ? {} : { tool: name }
      rules.push(rule)
    }
    const at = `toolRules.${rules.length - 1}`
    if (isMode) {
      rule.mode = decision === 'ask' ? 'ask' : 'auto'
      paths.push(`${at}.mode`)
    } else {
      const list = [...(rule[decision] ?? []), patternOf(condition, decision)]
      rule[decision] = list
      paths.push(`${at}.${decision}.${list.length - 1}`)
    }
  }
  return { rules, paths }
}
