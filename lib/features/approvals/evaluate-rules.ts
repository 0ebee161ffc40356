import type { ToolMode, ToolRule } from '@waystation/protocol/call/tool-rules.ts'
import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { storable } from '#db/client.ts'
import type { Patterns } from '#lib/kernel/ctx.ts'

/** Longer text is not searched. Characters of JSON. */
const maxChars = 64 * 1024

/**
 * The result of the rules for one call. `unsure`: the arguments could not be searched for denied patterns.
 * `left`: no pattern decides, so the mode does. `named`: the mode is from a rule for this tool.
 */
export type Verdict =
  | { is: 'denied' | 'allowed'; pattern: string }
  | { is: 'unsure' }
  | { is: 'left'; mode?: ToolMode; named?: boolean }

type RuledCall = { tool: string; parameters: unknown }

/**
 * Evaluates the rules for one call (001-15): deny, then allow, then mode. Rules apply if they name the call's
 * tool or no tool. The first mode of a rule that names the tool takes precedence over the first general mode.
 * Patterns are case-insensitive and match the canonical JSON (RFC 8785) of `{parameters, tool}`: sorted
 * names, no spaces.
 *
 * Arguments are not searched if they are longer than 64 KiB of JSON or take too long. Then no pattern allows
 * the call, and if there is any deny pattern, the result is `unsure`.
 */
export async function evaluateRules(
  rules: readonly ToolRule[],
  call: RuledCall,
  find: Patterns['find']
): Promise<Verdict> {
  const { own, counting: applicable } = applicableRules(rules, call.tool)
  const denied = await search(
    applicable.flatMap(({ deny = [] }) => deny),
    call,
    find
  )
  if (denied === undefined) return { is: 'unsure' }
  if (denied !== null) return { is: 'denied', pattern: denied }
  const allowed = await search(
    applicable.flatMap(({ allow = [] }) => allow),
    call,
    find
  )
  if (typeof allowed === 'string') return { is: 'allowed', pattern: allowed }
  const mode = own.find(rule => rule.mode !== undefined)?.mode
  if (mode !== undefined) return { is: 'left', mode, named: true }
  const general = applicable.find(rule => rule.mode !== undefined)?.mode
  return { is: 'left', ...(general === undefined ? {} : { mode: general, named: false }) }
}

/**
 * Returns the pattern that denies this call, null if none does, or undefined if it could not be searched (see
 * `evaluateRules`).
 */
export const deniedBy = (
  rules: readonly ToolRule[],
  call: RuledCall,
  find: Patterns['find']
): Promise<string | null | undefined> =>
  search(
    applicableRules(rules, call.tool).counting.flatMap(({ deny = [] }) => deny),
    call,
    find
  )

function applicableRules(rules: readonly ToolRule[], tool: string) {
  const own = rules.filter(rule => rule.tool === tool)
  return { own, counting: rules.filter(rule => rule.tool === undefined || rule.tool === tool) }
}

async function search(
  patterns: readonly string[],
  call: RuledCall,
  find: Patterns['find']
): Promise<string | null | undefined> {
  if (patterns.length === 0) return null
  const text = canonicalJson(storable({ tool: call.tool, parameters: call.parameters ?? null }))
  if (text === undefined || text.length > maxChars) return undefined
  const index = await find(patterns, text)
  return typeof index === 'number' ? patterns[index] : index
}
