import { ApiError } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { hooksOf } from '#lib/plugins/hooks-of.ts'

/** These hooks run outside a turn, so there is no model, wiki tool or input. */
const outsideOfTurns = { model: '', wikiTools: new Map(), run: { input: '', rounds: 0, resumed: false } }

/**
 * Runs the hooks of the workspace's gRPC plugins before a user hands off a session (003-15). Returns the
 * agent and the reason, which a plugin may have changed. Throws `CONFLICT` if a plugin blocks the handoff; the
 * session then stays with its agent.
 */
export async function runHandOffHooks(
  ctx: Ctx,
  {
    sessionId,
    turnId,
    from,
    to,
    reason
  }: { sessionId: string; turnId: string; from: string; to: string; reason: string }
): Promise<{ to: string; reason: string }> {
  const hooks = await hooksOf(
    new Map(),
    [],
    {
      ...outsideOfTurns,
      userId: identityOf(ctx.actor).id,
      workspaceId: ctx.workspaceId,
      sessionId,
      turnId,
      agentId: from
    },
    {
      signal: new AbortController().signal,
      report: run => run.outcome === 'failed' && log('warn', 'a plugin failed', { sessionId, ...run })
    },
    await ctx.ports.plugins?.ready(ctx.workspaceId)
  )
  const outcome = await hooks.run('beforeHandOff', { to, reason, by: 'person' })
  if ('payload' in outcome) return outcome.payload
  const { plugin, reason: problem } = outcome.cancelled
  throw new ApiError(
    'CONFLICT',
    `The plugin "${plugin}" blocked this handoff: ${problem} The session stays with its agent.`
  )
}
