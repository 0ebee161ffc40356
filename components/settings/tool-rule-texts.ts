import type { ToolRule } from '@waystation/protocol/call/tool-rules.ts'

/** A rule as it stands in a form: patterns one a line. `id` is only the form's. */
export type RuleTexts = { id: number; tool: string; mode: '' | 'auto' | 'ask'; deny: string; allow: string }

/** What is wrong with a rule, by its field. */
export type RuleFaults = { tool?: string; mode?: string; deny?: string; allow?: string; rule?: string }

let made = 0

export const textsOf = ({ tool = '', mode, deny = [], allow = [] }: ToolRule): RuleTexts => ({
  id: ++made,
  tool,
  mode: mode ?? '',
  deny: deny.join('\n'),
  allow: allow.join('\n')
})

/** Empty lines are no patterns; spaces in a line are a part of it. */
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

/** The server's words by rule and field; what is wrong with one pattern says which one of the field it is. */
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
