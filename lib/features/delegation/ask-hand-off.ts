import type { Ctx } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { hooksOf } from '#lib/plugins/hooks-of.ts'
import { hostedPlugins } from '#lib/tools/hosted-plugins.ts'

/** No step waits for these hooks, so nothing is known of what one runs on. */
const outsideOfTurns = { model: '', wikiTools: new Map(), run: { input: '', rounds: 0, resumed: false } }

/**
 * Tells the workspace's plugins in other languages that a person hands a session over (003-15), and comes to the reason as they
 * change it. `CONFLICT`: one of them does not allow it; the session stays with its agent.
 */
export async function askHandOff(
  ctx: Ctx,
  {
    sessionId,
    turnId,
    from,
    to,
    reason
  }: { sessionId: string; turnId: string; from: string; to: string; reason: string }
): Promise<string> {
  const hooks = await hooksOf(
    new Map(),
    [],
    { ...outsideOfTurns, workspaceId: ctx.workspaceId, sessionId, turnId, agentId: from },
    {
      signal: new AbortController().signal,
      tell: run => run.outcome === 'failed' && log('warn', 'a plugin failed', { sessionId, ...run })
    },
    await hostedPlugins(ctx)
  )
  const passed = await hooks.run('beforeHandOff', { to, reason, by: 'person' })
  if ('payload' in passed) return passed.payload.reason
  const { plugin, reason: why } = passed.cancelled
  throw new Refusal(
    'CONFLICT',
    `The plugin "${plugin}" blocked this handoff: ${why} The session stays with its agent.`
  )
}
