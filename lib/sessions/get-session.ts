import { waitingFor } from '@waystation/protocol/call/pending.ts'
import type { GetSession } from '@waystation/protocol/session/session.ts'
import type { SessionView } from '@waystation/protocol/session/session-view.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { callsToShow } from '#lib/sessions/calls-to-show.ts'
import { attachmentRules } from './attachment-rules.ts'
import { oobToShow } from './out-of-band-to-show.ts'
import { messagesBefore, oobPageOf, snapshotOf } from './snapshot.ts'

/**
 * Returns a session with its last 50 messages and the cursor for following it. `before`, a message ID, selects an
 * earlier page.
 */
export async function getSession(ctx: Ctx, input: GetSession): Promise<SessionView> {
  const key = await sessionKeyOf(ctx, input.sessionId)
  const [row] = await ctx.sql<
    {
      agentId: string
      pinned: number | null
      trial: boolean
      parentId: string | null
      parentTitle: string | null
      parentCallId: string | null
      origin: string | null
      originTitle: string | null
    }[]
  >`
    select s.agent_id, s.pinned_revision as pinned, s.trial, p.id as parent_id, p.title as parent_title,
      s.parent_call_id, s.branched_from as origin, o.title as origin_title
    from sessions s left join sessions p on p.key = s.parent_key and p.deleted_at is null
      left join sessions o on o.workspace_id = s.workspace_id and o.id = s.branched_from and o.deleted_at is null
    where s.key = ${key}`
  const agent = await agentIfAny(ctx, row?.agentId ?? '')
  const snapshot = await snapshotOf(ctx, key)
  const session = {
    id: input.sessionId,
    agentId: row?.agentId ?? '',
    ...(agent === undefined
      ? {}
      : {
          agentName: agent.displayName,
          agentRevision: row?.pinned ?? agent.revision,
          publishedRevision: agent.revision
        }),
    ...(typeof row?.pinned === 'number' ? { pinnedRevision: row.pinned } : {}),
    ...(row?.trial ? { trial: true as const } : {}),
    ...(typeof row?.origin === 'string' && ctx.actor.kind !== 'subject'
      ? {
          branchedFrom: {
            sessionId: row.origin,
            ...(row.originTitle === null ? {} : { title: row.originTitle })
          }
        }
      : {}),
    ...(snapshot.overlaid === undefined ? {} : { overlaid: snapshot.overlaid }),
    ...(snapshot.buildKit === undefined ? {} : { buildKit: snapshot.buildKit }),
    ...(snapshot.speaker === undefined ? {} : { speaker: snapshot.speaker }),
    title: snapshot.title,
    ...(row?.parentId == null || ctx.actor.kind === 'subject'
      ? {}
      : { parent: { id: row.parentId, title: row.parentTitle ?? '', toolCallId: row.parentCallId ?? '' } }),
    ...(await attachmentRules(ctx, key, agent, row?.pinned ?? null)),
    status: snapshot.status,
    waitingFor: waitingFor(snapshot.calls)
  }
  if (input.before === undefined) return { session, ...snapshot }
  const earlier = await messagesBefore(ctx, key, input.before)
  const ids = earlier.map(({ id }) => id)
  const [calls, outOfBand] = await Promise.all([
    callsToShow(ctx, key, ids),
    oobToShow(ctx, key, oobPageOf(earlier, input.before))
  ])
  return { session, ...snapshot, messages: earlier.map(({ message }) => message), calls, outOfBand }
}
