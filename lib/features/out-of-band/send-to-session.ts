import { ToolError } from '@waystation/base/known-error.ts'
import { type OobReceipt, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { recentOutOfBand } from '#lib/engine/context/recent-out-of-band.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentSessionOf, keySeenByAgent } from '#lib/sessions/seen-by-agent.ts'
import { sendOutOfBand } from './send-out-of-band.ts'

/** A message from an agent to the agent of another session. */
type AgentMessage = Pick<SendOob, 'sessionId' | 'content' | 'priority' | 'ttlSeconds'> & {
  relatedTo?: string | undefined
}

/** The maximum number of sessions through which content can be relayed (004-14). */
const maxHops = 3

/**
 * Sends an agent's message to the agent of another session that it can see (004-11). The target cannot be the
 * agent's own session or one that relayed the content. `chain` contains the sessions through which the
 * agent's recent input came since a user last wrote, and `hops` is the longest path. Errors are the tool's
 * result, which the model reads.
 */
export async function sendToSession(
  ctx: Ctx,
  lease: Lease,
  { turnId, toolCallId }: { turnId: string; toolCallId: string },
  { sessionId, content, priority, ttlSeconds, relatedTo }: AgentMessage
): Promise<OobReceipt> {
  const [sender] = await ctx.sql<{ id: string; workspaceId: string; chain: number[]; hops: number }[]>`
    with news as (${recentOutOfBand(ctx, lease.sessionKey)})
    select s.id, s.workspace_id, (select coalesce(max(hops), 0) from news) as hops,
      (select coalesce(json_agg(distinct link.value), '[]') from news
        cross join lateral jsonb_array_elements(news.chain) link) as chain
    from sessions s join turns t on t.id = ${turnId} where s.key = ${lease.sessionKey}`
  if (sender === undefined) throw new ToolError('This turn is over.')
  if (sessionId === sender.id) throw new ToolError('That is this session. Say it in your answer instead.')
  await ctx.ports.enforceRateLimit('outOfBand', `from ${lease.sessionKey}`)
  const hops = sender.hops + 1
  if (hops > maxHops)
    throw new ToolError(
      'This message has reached the forwarding limit. If it still matters, tell the user instead.'
    )
  await keySeenByAgent(ctx, await agentSessionOf(ctx, lease.sessionKey), sessionId)
  const actor = { kind: 'system', name: sender.id, workspaceId: sender.workspaceId } as const
  const message = SendOob.parse({
    sessionId,
    content,
    priority,
    ttlSeconds,
    source: 'agent',
    sourceId: sender.id,
    key: toolCallId,
    ...(relatedTo === undefined ? {} : { metadata: { relatedTo } })
  })
  return sendOutOfBand({ ...ctx, workspaceId: sender.workspaceId, actor }, message, {
    key: lease.sessionKey,
    chain: [...sender.chain, lease.sessionKey],
    hops
  })
}
