import canonicalize from 'canonicalize'
import { storable } from '#db/client.ts'
import type { Patterns } from '#lib/kernel/ctx.ts'
import type { ToolMode, ToolRule } from '#lib/protocol/call/tool-rules.ts'

/** Text that is longer than this, in characters of JSON, is not searched. */
const longest = 64 * 1024

/**
 * What the rules say of one call. `unsure`: its arguments could not be searched for what is denied. `left`: no pattern
 * decides, so a mode does; `named`: the mode is of a rule for this very tool.
 */
export type Verdict =
  | { is: 'denied' | 'allowed'; pattern: string }
  | { is: 'unsure' }
  | { is: 'left'; mode?: ToolMode; named?: boolean }

type Judged = { tool: string; parameters: unknown }

/**
 * Judges one call by itself (001-15): deny, then allow, then mode, whatever the mode is. Of the rules those count that name
 * its tool or none; the mode is the first one's of those that name it, else the first one's of the others. Patterns are looked
 * for, without regard to case, in the canonical JSON (RFC 8785) of `{parameters, tool}`: names in order, no spaces.
 *
 * Arguments that are longer than 64 KiB of JSON, or that take too long, are not searched. Nothing is allowed by a pattern
 * then; and where anything is denied, a person is asked rather than the call let through.
 */
export async function evaluateRules(
  rules: readonly ToolRule[],
  call: Judged,
  find: Patterns['find']
): Promise<Verdict> {
  const { own, counting } = countingFor(rules, call.tool)
  const found = await search(
    counting.flatMap(({ deny = [] }) => deny),
    call,
    find
  )
  if (found === undefined) return { is: 'unsure' }
  if (found !== null) return { is: 'denied', pattern: found }
  const allowed = await search(
    counting.flatMap(({ allow = [] }) => allow),
    call,
    find
  )
  if (typeof allowed === 'string') return { is: 'allowed', pattern: allowed }
  const mode = own.find(rule => rule.mode !== undefined)?.mode
  if (mode !== undefined) return { is: 'left', mode, named: true }
  const general = counting.find(rule => rule.mode !== undefined)?.mode
  return { is: 'left', ...(general === undefined ? {} : { mode: general, named: false }) }
}

/** The pattern that denies this call; null: none does; undefined: it could not be told (see `evaluateRules`). */
export const deniedBy = (
  rules: readonly ToolRule[],
  call: Judged,
  find: Patterns['find']
): Promise<string | null | undefined> =>
  search(
    countingFor(rules, call.tool).counting.flatMap(({ deny = [] }) => deny),
    call,
    find
  )

function countingFor(rules: readonly ToolRule[], tool: string) {
  const own = rules.filter(rule => rule.tool === tool)
  return { own, counting: rules.filter(rule => rule.tool === undefined || rule.tool === tool) }
}

async function search(
  patterns: readonly string[],
  call: Judged,
  find: Patterns['find']
): Promise<string | null | undefined> {
  if (patterns.length === 0) return null
  const text = canonicalize(storable({ tool: call.tool, parameters: call.parameters ?? null }))
  if (text === undefined || text.length > longest) return undefined
  const place = await find(patterns, text)
  return typeof place === 'number' ? patterns[place] : place
}
