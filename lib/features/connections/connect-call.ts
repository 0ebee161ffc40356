import { ApiError } from '@waystation/base/api-error.ts'
import type { BegunConnect, ConnectCall } from '@waystation/protocol/connection/connection.ts'
import { alreadySettled } from '#lib/engine/calls/answer.ts'
import { checkMayAnswer } from '#lib/engine/calls/answerers.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { accountOfCall } from './account-of-call.ts'
import { connectionCallOf, isConnectedFor } from './connection-of-call.ts'
import { integrationFor } from './integration.ts'
import { openerOriginOf } from './opener-origin.ts'
import { ownerForCall } from './owner.ts'
import { startAttempt } from './start-attempt.ts'

/**
 * Starts to connect the account that an open call asks for. The provider's response settles the call, even if
 * no page is open any longer. With `again`, a call that ended without the account is accepted too
 * (`continue-after-retry.ts`). Throws `FORBIDDEN` if the account belongs to another user, `ALREADY_SETTLED` if
 * the call is settled, `NOT_ANSWERABLE` if it asks for something else, and `CONFLICT` if the account of a
 * settled call is connected by now.
 */
export async function connectCall(ctx: Ctx, input: ConnectCall): Promise<BegunConnect> {
  const { call, session, request } = await connectionCallOf(ctx, input)
  checkMayAnswer(ctx, call)
  if (call.state !== 'open') {
    if (input.again !== true) throw alreadySettled(call)
    if (await isConnectedFor(ctx, session, call))
      throw new ApiError(
        'CONFLICT',
        'This account is already connected. Tell the agent that it can use the account.'
      )
  }
  const integration = await integrationFor(ctx, request.integration)
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
