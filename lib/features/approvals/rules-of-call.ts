import { invalid } from '@waystation/base/api-error.ts'
import type { ToolRule } from '@waystation/protocol/call/tool-rules.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { Ctx, Patterns } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { deniedBy } from './evaluate-rules.ts'

/** Returns the workspace's rules as the caller's transaction sees them. */
export async function toolRulesOf(tx: Ctx, workspaceId: string): Promise<ToolRule[]> {
  const [row] = await tx.sql<{ rules: ToolRule[] }[]>`
    select tool_rules as rules from workspaces where id = ${workspaceId}`
  return row?.rules ?? []
}

/** Returns a function that searches for patterns in the lane of the request's actor. */
export const patternSearchFor =
  (ctx: Ctx): Patterns['find'] =>
  (patterns, text) =>
    ctx.ports.patterns.find(patterns, text, laneOf(ctx))

/**
 * Checks edited arguments against the deny rules, so that an approver cannot bypass them. Throws
 * `INVALID_INPUT` if a rule denies them or they cannot be searched. The call stays open.
 */
export async function checkEditedByRules(tx: Ctx, workspaceId: string, call: CallRow, edited: unknown) {
  const rules = await toolRulesOf(tx, workspaceId)
  const pattern = await deniedBy(rules, { tool: call.toolName, parameters: edited }, patternSearchFor(tx))
  if (pattern === null) return
  const why =
    pattern === undefined
      ? 'The edited arguments are too long to check against the tool rules of this workspace: shorten them.'
      : `A tool rule of this workspace denies the edited arguments (${pattern}): change them, or decline the call.`
  throw invalid(`${why} Nothing was approved, and the call is still open.`, { input: why })
}
