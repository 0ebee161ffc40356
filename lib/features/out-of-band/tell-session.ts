import { newsOf } from '#lib/engine/context/news.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import { type OobReceipt, SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import { sendOutOfBand } from './send-out-of-band.ts'

/** What an agent tells the agent of another session. */
type Telling = Pick<SendOob, 'sessionId' | 'content' | 'priority' | 'ttlSeconds'> & {
  relatedTo?: string | undefined
}

/** Over how many sessions news may be passed on (004-14). */
const mostHops = 3

/**
 * What an agent tells another one, by its tool (004-11): in its own workspace, never itself, and never somebody through whom it
 * heard of it: `chain` are the sessions by which the news came that it was told since somebody last wrote to it, `hops` their
 * longest way. What is refused is the tool's error, which the
 * model reads.
 */
export async function tellSession(
  ctx: Ctx,
  lease: Lease,
  { turnId, toolCallId }: { turnId: string; toolCallId: string },
  { sessionId, content, priority, ttlSeconds, relatedTo }: Telling
): Promise<OobReceipt> {
  const [own] = await ctx.sql<{ id: string; workspaceId: string; chain: number[]; hops: number }[]>`
    with news as (${newsOf(ctx, lease.sessionKey)})
    select s.id, s.workspace_id, (select coalesce(max(hops), 0) from news) as hops,
      (select coalesce(json_agg(distinct link.value), '[]') from news
        cross join lateral jsonb_array_elements(news.chain) link) as chain
    from sessions s join turns t on t.id = ${turnId} where s.key = ${lease.sessionKey}`
  if (own === undefined) throw new ToolError('This turn is over.')
  if (sessionId === own.id) throw new ToolError('That is this session. Say it in your answer instead.')
  await ctx.ports.enforceRateLimit('outOfBand', `from ${lease.sessionKey}`)
  const hops = own.hops + 1
  if (hops > mostHops)
    throw new ToolError(
      'This message has reached the forwarding limit. If it still matters, tell the user instead.'
    )
  const actor = { kind: 'system', name: own.id, workspaceId: own.workspaceId } as const
  const message = SendOob.parse({
    sessionId,
    content,
    priority,
    ttlSeconds,
    source: 'agent',
    sourceId: own.id,
    key: toolCallId,
    ...(relatedTo === undefined ? {} : { metadata: { relatedTo } })
  })
  return sendOutOfBand({ ...ctx, workspaceId: own.workspaceId, actor }, message, {
    key: lease.sessionKey,
    chain: [...own.chain, lease.sessionKey],
    hops
  })
}
