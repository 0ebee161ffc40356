import { answerCall } from '#lib/engine/calls/answer.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import { denialReason } from '#lib/protocol/call/answerers.ts'
import type { Answer, Answered, Call, CallKind } from '#lib/protocol/call/call.ts'
import { isGenuinePage, type PageScope, readPageToken } from './answer-page-link.ts'

/** What an answer page shows, and nothing more: who has the link sees one call, not its session. */
export type AskedByPage = {
  call: Call
  /** What the link was made for: another kind than the call's means that the call was passed on. */
  kind: CallKind
  sessionId: string
  /** The session's title, or its ID while it has none. */
  title: string
  agentName: string
  /** Where it is answered by who signs in. */
  sessionUrl: string
  /** Why it is not answered through links, by its policy. */
  barred: string | undefined
}

/**
 * Which call this link is for, before anything of an answer is read. Forged: `401`; too many uses of the call's links in a
 * minute: `429`.
 */
export async function admitAnswerPage(ctx: Ctx, token: string): Promise<string> {
  const { sessionKey, toolCallId } = await claimOf(ctx, token)
  const link = `${sessionKey} ${toolCallId}`
  await ctx.ports.enforceRateLimit('answer', link)
  return link
}

/**
 * What the holder of this link is asked. It reads, whoever looks: a mail scanner, a chat's preview, a person. Forged: `401`;
 * genuine, but the session was deleted or lives again, or the webhook that was told is gone: `404`.
 */
export async function askedByPage(ctx: Ctx, token: string): Promise<AskedByPage> {
  return (await open(ctx, token)).asked
}

/**
 * Answers a call for whoever holds the link: the same verb, the same checks and the same race as for everybody else. On
 * record is the link, by the webhook that it went out with, since nobody knows who holds it. What the call itself refuses
 * is told, so that it can be shown beside the call.
 */
export async function answerByPage(
  ctx: Ctx,
  token: string,
  answer: Answer
): Promise<Answered | { refused: Refusal }> {
  const { asked, scoped } = await open(ctx, token)
  try {
    return await answerOpened(scoped, asked, answer)
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'NOT_FOUND') return { refused: error }
    throw error
  }
}

async function answerOpened(scoped: Ctx, asked: AskedByPage, answer: Answer): Promise<Answered> {
  const { call, kind, sessionId } = asked
  // An approval that was passed on has a winner, whom `answerCall` names; nothing else of such a call is this link's.
  if (call.kind !== kind && !(kind === 'approval' && 'approved' in answer))
    throw new Refusal(
      'CONFLICT',
      'The request of this link was already answered. The call now waits for someone else.'
    )
  return answerCall(scoped, { sessionId, toolCallId: call.toolCallId, answer, via: 'link' })
}

type Row = CallRow & {
  sessionId: string
  sessionTitle: string
  agentId: string
  agentName: string | null
  hook: string
}

/** What the token is for, once it has been seen to be one of ours. */
async function claimOf(ctx: Ctx, token: string): Promise<PageScope> {
  const claim = readPageToken(token)
  const [workspace] =
    claim === undefined
      ? []
      : await ctx.sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = ${claim.workspaceId}`
  if (claim === undefined || workspace === undefined || !isGenuinePage(workspace.secret, claim))
    throw new Refusal('UNAUTHENTICATED', 'This answer link is not valid. Open it exactly as you received it.')
  return claim
}

async function open(ctx: Ctx, token: string): Promise<{ asked: AskedByPage; scoped: Ctx }> {
  const { workspaceId, sessionKey, generation, toolCallId, kind, webhookId } = await claimOf(ctx, token)
  const [row] = await ctx.sql<Row[]>`
    select c.*, s.id as session_id, s.title as session_title, s.agent_id,
      a.config ->> 'displayName' as agent_name, w.url as hook
    from (
      select ${callColumns(ctx.sql)} from calls
      where session_key = ${sessionKey} and tool_call_id = ${toolCallId} and workspace_id = ${workspaceId}
        and generation = ${generation}
    ) c
    join sessions s on s.key = c.session_key join heads h on h.session_key = s.key
    join webhooks w on w.workspace_id = ${workspaceId} and w.id = ${webhookId}
    left join agents a on a.workspace_id = ${workspaceId} and a.id = s.agent_id
    where h.generation = ${generation} and s.deleted_at is null`
  if (row === undefined) throw notFound('call', toolCallId)
  const call = wireCall(row)
  const name = `The answer link sent to ${new URL(row.hook).host}`
  return {
    asked: {
      call,
      kind,
      sessionId: row.sessionId,
      title: row.sessionTitle || row.sessionId,
      agentName: row.agentName ?? row.agentId,
      sessionUrl: `${ctx.ports.origin}/sessions/${row.sessionId}?call=${toolCallId}`,
      barred: denialReason(call, { unknown: true })
    },
    scoped: { ...ctx, workspaceId, actor: { kind: 'system', name, workspaceId } }
  }
}
