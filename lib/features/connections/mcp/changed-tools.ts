import { digestOf } from '@waystation/base/digest.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import { reviewersOf } from '@waystation/protocol/call/reviewers.ts'
import type { ToolChange } from '@waystation/protocol/connection/mcp.ts'
import type { ToolChanged } from '@waystation/protocol/connection/tool-changed.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ResolvedTools } from '#lib/tools/resolved-tool.ts'

/**
 * Turns calls of tools whose definition has changed into approvals that show the changes (001-19). Runs last,
 * because it overrides all other rules. Approving such a call accepts the definition for the workspace, so it
 * requires permission to edit agents.
 */
export async function reviewChangedTools(
  tx: Ctx,
  session: LockedSession,
  tools: ResolvedTools,
  openings: readonly Opening[]
): Promise<Opening[]> {
  const result: Opening[] = []
  for (const opening of openings) {
    const change = tools.get(opening.toolName)?.change
    const isSettled = opening.failed !== undefined || opening.denied !== undefined
    if (change === undefined || isSettled || !(await storeOffered(tx, session, change))) result.push(opening)
    else result.push({ ...opening, ...reviewFields(change), answer: reviewersOf(undefined, opening.answer) })
  }
  return result
}

/** Uses the new input schema, because edited arguments must match the new definition. */
function reviewFields({ integration, service, before, after }: ToolChange) {
  const digest = digestOf(after)
  const changes = diffConfigs(before, after)
  const render: ToolChanged = {
    kind: 'tool-changed',
    integration,
    service,
    tool: after.name,
    digest,
    changes
  }
  return { kind: 'approval' as const, inputSchema: after.inputSchema, render }
}

/** Stores a definition so that it can be accepted. Returns false if it has been accepted since the turn started. */
export async function storeOffered(
  tx: Ctx,
  { workspaceId }: Pick<LockedSession, 'workspaceId'>,
  { integration, after }: Pick<ToolChange, 'integration' | 'after'>
): Promise<boolean> {
  const digest = digestOf(after)
  const [current] = await tx.sql<{ digest: string }[]>`
    select digest from mcp_tool_versions
    where workspace_id = ${workspaceId} and integration = ${integration} and name = ${after.name}
      and accepted_at is not null
    order by accepted_at desc limit 1`
  if (current?.digest === digest) return false
  await tx.sql`
    insert into mcp_tool_versions (workspace_id, integration, name, digest, definition)
    values (${workspaceId}, ${integration}, ${after.name}, ${digest}, ${after}::jsonb)
    on conflict do nothing`
  return true
}
