import { ApiError, notFound } from '@waystation/base/api-error.ts'
import { denialReason } from '@waystation/protocol/call/answerers.ts'
import type { Answer, Answered, Call, CallKind } from '@waystation/protocol/call/call.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { isGenuinePage, type PageScope, readPageToken } from './answer-page-link.ts'

/** The session of an answer page. The holder of a link sees only these fields. */
export type PageSession = {
  sessionId: string
  /** The session's title, or its ID while it has none. */
  title: string
  agentName: string
  /** The URL at which a signed-in user can answer. */
  sessionUrl: string
}

/** The data of an answer page of a call. */
export type AnswerPageData = PageSession & {
  call: Call
  /**
   * The kind of request that the link was created for. If the call has another kind now, this request was
   * already answered.
   */
  kind: CallKind
  /** Why the call's answer policy rejects links, or undefined. */
  barred: string | undefined
}

/**
 * Verifies a link before the answer is read. Returns a key that identifies the call, for the limit of open
 * requests. Throws `UNAUTHENTICATED` for a forged link, and `RATE_LIMITED` if the call's links are used too
 * often.
 */
export async function authenticateAnswerPage(ctx: Ctx, token: string): Promise<string> {
  const { sessionKey, toolCallId } = await readPageClaim(ctx, token)
  const link = `${sessionKey} ${toolCallId}`
  await ctx.ports.enforceRateLimit('answer', link)
  return link
}

/**
 * Returns the request that the link shows. It changes nothing, because mail scanners and chat previews open
 * links too. Throws `UNAUTHENTICATED` for a forged link. Throws `NOT_FOUND` if the session was deleted or
 * re-created, or the webhook was deleted.
 */
export async function readAnswerPage(ctx: Ctx, token: string): Promise<AnswerPageData> {
  return (await openLink(ctx, token)).page
}

/**
 * Answers a call through its link, with the same checks as any other answer. The holder of a link is unknown,
 * so the log names the webhook that received it. Errors of the call itself are returned, so that the page can
 * show them with the call.
 */
export async function answerByPage(
  ctx: Ctx,
  token: string,
  answer: Answer
): Promise<Answered | { refused: ApiError }> {
  const { page: request, scoped } = await openLink(ctx, token)
  try {
    return await answerOpened(scoped, request, answer)
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'NOT_FOUND') return { refused: error }
    throw error
  }
}

async function answerOpened(scoped: Ctx, request: AnswerPageData, answer: Answer): Promise<Answered> {
  const { call, kind, sessionId } = request
  // If an approval was answered meanwhile, `answerCall` reports who answered it. Later requests are outside
  // this link's scope.
  if (call.kind !== kind && !(kind === 'approval' && 'approved' in answer))
    throw new ApiError(
      'CONFLICT',
      'The request of this link was already answered. The call now waits for someone else.'
    )
  return answerCall(scoped, { sessionId, toolCallId: call.toolCallId, answer, via: 'link' })
}

/** Parses the token and verifies its signature. Throws `UNAUTHENTICATED`. */
export async function readPageClaim(ctx: Ctx, token: string): Promise<PageScope> {
  const claim = readPageToken(token)
  const [workspace] =
    claim === undefined
      ? []
      : await ctx.sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = ${claim.workspaceId}`
  if (claim === undefined || workspace === undefined || !isGenuinePage(workspace.secret, claim))
    throw new ApiError(
      'UNAUTHENTICATED',
      'This answer link is not valid. Open it exactly as you received it.'
    )
  return claim
}

/**
 * Returns the session of a link, and the context in which its holder answers. The holder is unknown, so the
 * actor names the webhook that received the link. Throws `NOT_FOUND` if the session was deleted or re-created,
 * or the webhook was deleted.
 */
export async function openPageSession(
  ctx: Ctx,
  { workspaceId, sessionKey, generation, toolCallId, kind, webhookId }: PageScope
): Promise<{ session: PageSession; scoped: Ctx }> {
  const [row] = await ctx.sql<
    { sessionId: string; title: string; agentId: string; agentName: string | null; hook: string }[]
  >`
    select s.id as session_id, s.title, s.agent_id, a.config ->> 'displayName' as agent_name, w.url as hook
    from sessions s join heads h on h.session_key = s.key
    join webhooks w on w.workspace_id = ${workspaceId} and w.id = ${webhookId}
    left join agents a on a.workspace_id = ${workspaceId} and a.id = s.agent_id
    where s.key = ${sessionKey} and s.workspace_id = ${workspaceId} and h.generation = ${generation}
      and s.deleted_at is null`
  if (row === undefined) throw notFound('request', toolCallId)
  const { sessionId, title, agentId, agentName, hook } = row
  const name = `The answer link sent to ${new URL(hook).host}`
  return {
    session: {
      sessionId,
      title: title || sessionId,
      agentName: agentName ?? agentId,
      sessionUrl: `${ctx.ports.origin}/sessions/${sessionId}?${kind === 'oob' ? 'oob' : 'call'}=${toolCallId}`
    },
    scoped: { ...ctx, workspaceId, actor: { kind: 'system', name, workspaceId } }
  }
}

async function openLink(ctx: Ctx, token: string): Promise<{ page: AnswerPageData; scoped: Ctx }> {
  const claim = await readPageClaim(ctx, token)
  const { workspaceId, sessionKey, generation, toolCallId, kind } = claim
  if (kind === 'oob') throw notFound('call', toolCallId)
  const { session, scoped } = await openPageSession(ctx, claim)
  const [row] = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls
    where session_key = ${sessionKey} and tool_call_id = ${toolCallId} and workspace_id = ${workspaceId}
      and generation = ${generation}`
  if (row === undefined) throw notFound('call', toolCallId)
  const call = wireCall(row)
  return { page: { ...session, call, kind, barred: denialReason(call, { unknown: true }) }, scoped }
}
