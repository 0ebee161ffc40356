import { connectedMessage, connectionSender } from '@waystation/protocol/connection/connected-message.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { connectionOf } from '#lib/engine/calls/connection-call.ts'
import { showCall } from '#lib/engine/calls/settle.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { isConnectedFor } from './connection-of-call.ts'
import { settleConnected } from './open-connections.ts'

/**
 * Continues a session after a user connected the account of a call that had ended without it (002-12). The
 * result of a call is final, so the agent receives a message, which waits in the inbox like any other. The
 * call shows when the account was connected. That happens once, however many attempts succeed.
 *
 * If another call is waiting for the same account, that call is settled instead. There is no message if the
 * call is no longer part of the conversation, if another agent has taken over, or if a sub-agent has already
 * reported. Requires the session's lock.
 */
export async function continueAfterRetry(tx: Ctx, session: LockedSession, call: CallRow): Promise<void> {
  if (hadAccount(call) || !(await isConnectedFor(tx, session, call))) return
  const request = connectionOf(call)
  const [shown] = await tx.sql<CallRow[]>`
    update calls set render = ${{ ...request, connectedAt: session.now }}::jsonb
    where session_key = ${session.sessionKey} and tool_call_id = ${call.toolCallId} and state <> 'open'
      and not coalesce(render ? 'connectedAt', false)
    returning ${callColumns(tx.sql)}`
  if (shown === undefined) return
  await showCall(tx, session, shown)
  const isSettled = await settleConnected(tx, session, await openRequests(tx, session))
  if (isSettled || !(await isConcerned(tx, session, call))) return
  const { workspaceId, sessionId } = session
  const actor = { kind: 'system', name: connectionSender, workspaceId } as const
  const text = connectedMessage({ ...request, toolName: call.toolName })
  await sendMessage({ ...tx, workspaceId, actor }, { sessionId, text, whenBusy: 'steer' })
}

/** Tells whether a settled call got its account. A server tool ran then, or was about to run. */
const hadAccount = ({ where, state, claimedAt, result }: CallRow): boolean =>
  where === 'server'
    ? state === 'approved' || claimedAt !== null
    : result?.type === 'output' && isJsonObject(result.value) && result.value.connected === true

const openRequests = (tx: Ctx, { sessionKey }: LockedSession): Promise<CallRow[]> => tx.sql<CallRow[]>`
  select ${callColumns(tx.sql)} from calls
  where session_key = ${sessionKey} and kind = 'connection' and state = 'open'`

/** Tells whether the agent that made the call still speaks, remembers the call and is not done. */
async function isConcerned(tx: Ctx, { sessionKey }: LockedSession, { contextId }: CallRow): Promise<boolean> {
  const [row] = await tx.sql`
    select from sessions s join context x on x.session_key = s.key and x.id = ${contextId}
    where s.key = ${sessionKey} and coalesce(x.payload ->> 'agentId', s.agent_id) = coalesce(s.handed_to, s.agent_id)
      and (s.parent_key is null or s.reports)`
  return row !== undefined
}
