import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { diffConfigs } from '#lib/protocol/agent/config-diff.ts'
import { reviewersOf } from '#lib/protocol/call/reviewers.ts'
import type { ToolChange, ToolChanged } from '#lib/protocol/connection/mcp.ts'
import type { ResolvedTools } from '#lib/tools/resolve.ts'

/**
 * Calls of tools that are not what was accepted (001-19), as approvals with what is different, however anything else would have
 * them opened: so this comes last. Whoever approves one accepts the definition for the workspace, so it is for those who may
 * change agents.
 */
export async function withChanged(
  tx: Ctx,
  head: LockedSession,
  tools: ResolvedTools,
  openings: readonly Opening[]
): Promise<Opening[]> {
  const opened: Opening[] = []
  for (const opening of openings) {
    const change = tools.get(opening.toolName)?.change
    const isOver = opening.failed !== undefined || opening.denied !== undefined
    if (change === undefined || isOver || !(await offer(tx, head, change))) opened.push(opening)
    else opened.push({ ...opening, ...asked(change), answer: reviewersOf(undefined, opening.answer) })
  }
  return opened
}

/** What is edited with it is what the tool takes by then. */
function asked({ integration, service, before, after }: ToolChange) {
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

/** Keeps it to be accepted. False: somebody has accepted it since this turn began. */
export async function offer(
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
