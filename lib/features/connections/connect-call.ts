import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { BegunConnect, ConnectCall } from '@waystation/protocol/connection/connection.ts'
import { alreadySettled } from '#lib/engine/calls/answer.ts'
import { checkMayAnswer } from '#lib/engine/calls/answerers.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { connectionOf } from '#lib/engine/calls/connection-call.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { accountOfCall } from './account-of-call.ts'
import { integrationFor } from './integration.ts'
import { openerOriginOf } from './opener-origin.ts'
import { ownerForCall } from './owner.ts'
import { startAttempt } from './start-attempt.ts'

/**
 * Starts to connect the account that an open call asks for. The provider's response settles the call, even if
 * no page is open any longer. Throws `FORBIDDEN` if the account belongs to another user, `ALREADY_SETTLED` if
 * the call is settled, and `NOT_ANSWERABLE` if it asks for something else.
 */
export async function connectCall(ctx: Ctx, input: ConnectCall): Promise<BegunConnect> {
  const sessionKey = await sessionKeyOf(ctx, input.sessionId)
  const [call] = await ctx.sql<(CallRow & { generation: number })[]>`
    select ${callColumns(ctx.sql)}, generation from calls
    where session_key = ${sessionKey} and tool_call_id = ${input.toolCallId}`
  if (call === undefined) throw notFound('call', input.toolCallId)
  if (call.kind !== 'connection')
    throw new ApiError('NOT_ANSWERABLE', 'This call does not ask for a connection.')
  checkMayAnswer(ctx, call)
  if (call.state !== 'open' && input.again !== true) throw alreadySettled(call)
  const request = connectionOf(call)
  const integration = await integrationFor(ctx, request.integration)
  const session = { sessionKey, generation: call.generation, sessionId: input.sessionId }
  return startAttempt(ctx, {
    ...ownerForCall(ctx, session, accountOfCall(call), integration.sharing),
    integration,
    slug: request.slug,
    mode: input.mode ?? request.modes[0],
    scopes: request.scopes,
    call: { ...session, toolCallId: call.toolCallId },
    opener: await openerOriginOf(ctx, input.opener)
  })
}
