import { accountOfCall } from '#lib/engine/calls/account-of-call.ts'
import { alreadySettled } from '#lib/engine/calls/answer.ts'
import { checkMayAnswer } from '#lib/engine/calls/answerers.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { connectionOf } from '#lib/engine/calls/connection-call.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { BegunConnect, ConnectCall } from '#lib/protocol/connection/connection.ts'
import { begin } from './begin.ts'
import { integrationFor } from './integration.ts'
import { openerOf } from './opener.ts'
import { ownerForCall } from './owner.ts'

/**
 * Begins to connect the account that an open call asks for. Connected, refused or failed, the call is settled by the
 * provider's answer itself, whether or not any page is still there. Somebody else's own account is `FORBIDDEN`; a call
 * that is settled, `ALREADY_SETTLED`; one that asks for something else, `NOT_ANSWERABLE`.
 */
export async function connectCall(ctx: Ctx, input: ConnectCall): Promise<BegunConnect> {
  const sessionKey = await sessionKeyOf(ctx, input.sessionId)
  const [call] = await ctx.sql<(CallRow & { generation: number })[]>`
    select ${callColumns(ctx.sql)}, generation from calls
    where session_key = ${sessionKey} and tool_call_id = ${input.toolCallId}`
  if (call === undefined) throw notFound('call', input.toolCallId)
  if (call.kind !== 'connection')
    throw new Refusal('NOT_ANSWERABLE', 'This call does not ask for a connection.')
  checkMayAnswer(ctx, call)
  if (call.state !== 'open' && input.again !== true) throw alreadySettled(call)
  const asked = connectionOf(call)
  const integration = await integrationFor(ctx, asked.integration)
  const life = { sessionKey, generation: call.generation, sessionId: input.sessionId }
  return begin(ctx, {
    ...ownerForCall(ctx, life, accountOfCall(call), integration.sharing),
    integration,
    slug: asked.slug,
    mode: input.mode ?? asked.modes[0],
    scopes: asked.scopes,
    call: { ...life, toolCallId: call.toolCallId },
    opener: await openerOf(ctx, input.opener)
  })
}
