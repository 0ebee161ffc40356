import type { ToolRule } from '@waystation/protocol/call/tool-rules.ts'

/** A tool rule in the form, with one pattern per line. `id` exists only in the form. */
export type RuleTexts = { id: number; tool: string; mode: '' | 'auto' | 'ask'; deny: string; allow: string }

/** Errors of a tool rule, by field. `rule` is an error of the whole rule. */
export type RuleFaults = { tool?: string; mode?: string; deny?: string; allow?: string; rule?: string }

let made = 0

/** Returns a tool rule for the form, with a new `id`. */
export const textsOf = ({ tool = '', mode, deny = [], allow = [] }: ToolRule): RuleTexts => ({
  id: ++made,
  tool,
  mode: mode ?? '',
  deny: deny.join('\n'),
  allow: allow.join('\n')
})

/** Returns the tool rule of the form. Skips empty lines. Spaces in other lines are part of the pattern. */
export function ruleOf({ tool, mode, deny, allow }: RuleTexts): ToolRule {
  const [denied, allowed] = [linesOf(deny), linesOf(allow)]
  return {
    ...(tool.trim() === '' ? {} : { tool: tool.trim() }),
    ...(mode === '' ? {} : { mode }),
    ...(denied.length === 0 ? {} : { deny: denied }),
    ...(allowed.length === 0 ? {} : { allow: allowed })
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter(line => line.trim() !== '')

/** Returns the server's errors by rule and field. If one pattern is invalid, the error names its position. */
export function faultsIn(said: Record<string, string> = {}): RuleFaults[] {
  const faults: RuleFaults[] = []
  for (const [name, fault] of Object.entries(said)) {
    const [, at, field = 'rule', nth] =
      /^toolRules\.(\d+)(?:\.(tool|mode|deny|allow)(?:\.(\d+))?)?/.exec(name) ?? []
    if (at === undefined) continue
    const words = `${nth === undefined ? '' : `Pattern ${Number(nth) + 1}: `}${fault}.`
    const sentence = `${words[0]?.toUpperCase()}${words.slice(1)}`
    const before = faults[Number(at)]?.[field as keyof RuleFaults]
    faults[Number(at)] = {
      ...faults[Number(at)],
      [field]: before === undefined ? sentence : `${before} ${sentence}`
    }
  }
  return faults
}
