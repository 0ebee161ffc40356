import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { CallState } from '@waystation/protocol/call/call.ts'
import type { AnswerExternal } from '@waystation/protocol/session/session.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AnswerScope, isGenuine, readCapability, readShownTo } from './answer-link.ts'

/** Verifies a link before the answer is read, and returns its claims. Throws `UNAUTHENTICATED`. */
async function checkAnswerLink(ctx: Ctx, capability: string): Promise<AnswerScope> {
  const claim = readCapability(capability)
  const [workspace] =
    claim === undefined
      ? []
      : await ctx.sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = ${claim.workspaceId}`
  if (claim === undefined || workspace === undefined || !isGenuine(workspace.secret, claim))
    throw new ApiError(
      'UNAUTHENTICATED',
      'This answer link is not valid. Use the answerUrl exactly as you received it.'
    )
  return claim
}

/**
 * Verifies the link and counts its use. Returns a key that identifies the call, for the limit of open
 * requests. Throws `RATE_LIMITED` if the call's links are used too often.
 */
export async function authenticateAnswerLink(ctx: Ctx, capability: string): Promise<string> {
  const { sessionKey, toolCallId } = await checkAnswerLink(ctx, capability)
  const link = `${sessionKey} ${toolCallId}`
  await ctx.ports.enforceRateLimit('answer', link)
  return link
}

/**
 * Answers a call for an external tool through the link that it received: `{output}` or `{error}`. Throws
 * `UNAUTHENTICATED` for a forged link, `NOT_FOUND` if the session was deleted or re-created, and the errors
 * of `answerCall`.
 */
export async function answerExternal(
  ctx: Ctx,
  input: AnswerExternal
): Promise<{ toolCallId: string; state: CallState }> {
  const claim = await checkAnswerLink(ctx, input.capability)
  const { workspaceId, sessionKey, generation, toolCallId, shownTo } = claim
  const [call] = await ctx.sql<{ sessionId: string; system: string }[]>`
    select s.id as session_id, coalesce(c.title, c.tool_name) as system
    from calls c join sessions s on s.key = c.session_key join heads h on h.session_key = s.key
    where c.session_key = ${sessionKey} and c.tool_call_id = ${toolCallId} and c.workspace_id = ${workspaceId}
      and c.generation = ${generation} and h.generation = ${generation} and s.deleted_at is null`
  if (call === undefined) throw notFound('call', toolCallId)
  const behalf = shownTo === undefined ? {} : { behalf: readShownTo(shownTo) }
  const scoped: Ctx = {
    ...ctx,
    workspaceId,
    actor: { kind: 'system', name: call.system, workspaceId, ...behalf }
  }
  return answerCall(scoped, { sessionId: call.sessionId, toolCallId, answer: input.answer, via: 'callback' })
}
