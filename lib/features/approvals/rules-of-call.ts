import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { Ctx, Patterns } from '#lib/kernel/ctx.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import { laneOf } from '#lib/kernel/threads/lane-of.ts'
import type { ToolRule } from '#lib/protocol/call/tool-rules.ts'
import { deniedBy } from './evaluate-rules.ts'

/** The rules of the workspace, as they are in the caller's transaction. */
export async function toolRulesOf(tx: Ctx, workspaceId: string): Promise<ToolRule[]> {
  const [row] = await tx.sql<{ rules: ToolRule[] }[]>`
    select tool_rules as rules from workspaces where id = ${workspaceId}`
  return row?.rules ?? []
}

/** Looks for patterns in the lane of whoever is asked for. */
export const findFor =
  (ctx: Ctx): Patterns['find'] =>
  (patterns, text) =>
    ctx.ports.patterns.find(patterns, text, laneOf(ctx))

/**
 * What somebody makes of a call's arguments is judged by what is denied, as what the agent wrote was: nobody approves their way
 * around it. Refused, the call stays open. What cannot be searched is refused too: it was not the agent's to begin with.
 */
export async function checkEdited(tx: Ctx, workspaceId: string, call: CallRow, edited: unknown) {
  const rules = await toolRulesOf(tx, workspaceId)
  const pattern = await deniedBy(rules, { tool: call.toolName, parameters: edited }, findFor(tx))
  if (pattern === null) return
  const why =
    pattern === undefined
      ? 'The edited arguments are too long to check against the tool rules of this workspace: shorten them.'
      : `A tool rule of this workspace denies the edited arguments (${pattern}): change them, or decline the call.`
  throw invalid(`${why} Nothing was approved, and the call is still open.`, { input: why })
}
