import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { ConnectHint } from '@waystation/protocol/connection/connect-hint.ts'
import type {
  ConnectionOfCall,
  InConnectionCall,
  OpenAttempt
} from '@waystation/protocol/connection/connection.ts'
import { checkMayAnswer } from '#lib/engine/calls/answerers.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { connectionOf } from '#lib/engine/calls/connection-call.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { accountOfCall } from './account-of-call.ts'
import { type Integration, integrationIfAny, modesOf } from './integration.ts'
import { ownerForCall, type SessionGeneration } from './owner.ts'

/**
 * Tells what happened to the account that a call asked for, and whether the caller can connect it now or is
 * connecting it. Throws `NOT_FOUND`, or `NOT_ANSWERABLE` if the call asks for something else.
 */
export async function connectionOfCall(ctx: Ctx, input: InConnectionCall): Promise<ConnectionOfCall> {
  const { call, session, request } = await connectionCallOf(ctx, input)
  const { integration: name, slug } = request
  const integration = await integrationIfAny(ctx, name)
  const service = integration?.service ?? request.service
  if (await isConnectedFor(ctx, session, call))
    return { integration: name, slug, service, state: 'connected' }
  const attempt = await openAttempt(ctx, session, call)
  return {
    integration: name,
    slug,
    service,
    state: stateOf(ctx, session, call, integration),
    ...(attempt === undefined ? {} : { attempt })
  }
}

/** Returns the caller's newest open attempt for a call, which a reloaded page and a second tab can then show. */
async function openAttempt(
  ctx: Ctx,
  { sessionKey, generation }: SessionGeneration,
  { toolCallId }: CallRow
): Promise<OpenAttempt | undefined> {
  const [attempt] = await ctx.sql<OpenAttempt[]>`
    select id as attempt_id, mode, expires_at from connection_attempts
    where workspace_id = ${ctx.workspaceId} and session_key = ${sessionKey} and generation = ${generation}
      and tool_call_id = ${toolCallId} and begun_by_id = ${identityOf(ctx.actor).id}
      and outcome is null and expires_at > clock_timestamp()
    order by created_at desc limit 1`
  return attempt
}

function stateOf(
  ctx: Ctx,
  session: SessionGeneration,
  call: CallRow,
  integration: Integration | undefined
): ConnectionOfCall['state'] {
  if (integration === undefined) return 'removed'
  if (modesOf(integration).length === 0) return 'needs_setup'
  return canConnect(ctx, session, call, integration) ? 'available' : 'not_yours'
}

/** Applies the rules of `connectCall`. */
function canConnect(ctx: Ctx, session: SessionGeneration, call: CallRow, { sharing }: Integration): boolean {
  try {
    checkMayAnswer(ctx, call)
    ownerForCall(ctx, session, accountOfCall(call), sharing)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'FORBIDDEN') return false
    throw error
  }
}

type ConnectionCall = { call: CallRow; session: SessionGeneration; request: ConnectHint }

/**
 * Returns a call that asks for an account, and its session. Throws `NOT_FOUND`, or `NOT_ANSWERABLE` if the call
 * asks for something else.
 */
export async function connectionCallOf(
  ctx: Ctx,
  { sessionId, toolCallId }: InConnectionCall
): Promise<ConnectionCall> {
  const sessionKey = await sessionKeyOf(ctx, sessionId)
  const [call] = await ctx.sql<(CallRow & { generation: number })[]>`
    select ${callColumns(ctx.sql)}, generation from calls
    where session_key = ${sessionKey} and tool_call_id = ${toolCallId}`
  if (call === undefined) throw notFound('call', toolCallId)
  if (call.kind !== 'connection')
    throw new ApiError('NOT_ANSWERABLE', 'This call does not ask for a connection.')
  const session = { sessionKey, generation: call.generation, sessionId }
  return { call, session, request: connectionOf(call) }
}

/** Tells whether the session can now use the account that a call asked for. */
export const isConnectedFor = (
  ctx: Ctx,
  session: Pick<SessionGeneration, 'sessionKey' | 'generation'>,
  call: CallRow
): Promise<boolean> =>
  ctx.ports.isConnected(ctx, { ...session, account: accountOfCall(call) }, connectionOf(call))
