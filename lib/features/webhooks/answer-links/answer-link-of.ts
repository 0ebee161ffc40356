import { notFound } from '@waystation/base/api-error.ts'
import type { InCall } from '@waystation/protocol/session/session.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { answerUrl, shownToOf } from './answer-link.ts'

/**
 * Returns the link through which an external tool answers this open call. Requires permission to answer the
 * call, and the link is never logged. The link names the caller, so that a user's answer is not mistaken for
 * the tool's.
 */
export async function answerLinkOf(ctx: Ctx, input: InCall): Promise<{ answerUrl: string }> {
  const sessionKey = await sessionKeyOf(ctx, input.sessionId)
  const [call] = await ctx.sql<{ generation: number; secret: string }[]>`
    select c.generation, w.link_secret as secret from calls c join workspaces w on w.id = c.workspace_id
    where c.session_key = ${sessionKey} and c.tool_call_id = ${input.toolCallId} and c.kind = 'external' and c.state = 'open'`
  if (call === undefined) throw notFound('open external call', input.toolCallId)
  const { workspaceId } = ctx
  const { generation, secret } = call
  return {
    answerUrl: answerUrl(ctx.ports.origin, secret, {
      workspaceId,
      sessionKey,
      generation,
      toolCallId: input.toolCallId,
      shownTo: shownToOf(identityOf(ctx.actor))
    })
  }
}
