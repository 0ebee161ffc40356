import { type AttemptOutcome, kindOfCredential } from '@waystation/protocol/connection/connection.ts'
import { inTransaction } from '#db/transaction.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { type ConnectOutcome, connectSettlement } from '#lib/engine/calls/connection-call.ts'
import { settleExpired } from '#lib/engine/calls/deadline.ts'
import { lockCall, settle } from '#lib/engine/calls/settle.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import { type LockedSession, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { ProviderGrant } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AttemptRow, endAttempt } from './attempt.ts'
import { isConnectedFor } from './connection-of-call.ts'
import { continueAfterRetry } from './continue-after-retry.ts'
import { revokeUnused } from './revoke.ts'
import { storeConnection } from './store.ts'

/** `from` is undefined if a user entered the credential. */
type ConnectResult = (Pick<ProviderGrant, 'granted'> & Partial<ProviderGrant>) | { refused: string }

/**
 * Ends an attempt in one transaction: stores the credential, stores the outcome, and settles the call that
 * asked for the account (002-9, 002-11). So the turn continues even if no page is open. If the call has already
 * ended without the account, the agent receives a message instead (002-12). If the attempt was canceled or the session
 * was deleted, the credential is revoked.
 */
export async function settleConnect(
  ctx: Ctx,
  attempt: AttemptRow,
  result: ConnectResult
): Promise<AttemptOutcome> {
  const outcome = await settleInTransaction(ctx, attempt, result)
  if ('granted' in result && result.from !== undefined && !outcome.connected)
    await revokeUnused(result.from, result.granted.credential, attempt.integration)
  return outcome
}

function settleInTransaction(ctx: Ctx, attempt: AttemptRow, result: ConnectResult): Promise<AttemptOutcome> {
  return inTransaction(ctx, async tx => {
    const { sessionKey, generation, toolCallId, sharing, begunBy: by } = attempt
    const locked = sessionKey === null ? undefined : await lockSessionByKey(tx, sessionKey)
    const session = locked?.generation === generation ? locked : undefined
    const isSessionGone = sharing === 'session' && session === undefined
    const problem =
      'refused' in result
        ? result.refused
        : isSessionGone
          ? 'The session was deleted in the meantime.'
          : undefined
    const outcome = await endAttempt(
      tx,
      attempt.attemptId,
      problem === undefined ? { connected: true } : { connected: false, reason: 'failed', words: problem }
    )
    if ('granted' in result && outcome.connected)
      await storeConnection(
        tx,
        { ...attempt, mode: kindOfCredential(attempt.mode), by, byId: attempt.begunById },
        result.granted
      )
    // The agent sees the account's name, which the connecting user can choose. So this user is an author of
    // the session.
    if (session !== undefined && sharing === 'session' && outcome.connected)
      await addAuthors(tx, session.sessionKey, [{ id: attempt.begunById, name: by }])
    const isGivenUp = outcome.reason === 'cancelled'
    if (session !== undefined && toolCallId !== null && !isGivenUp)
      await settleCall(tx, session, toolCallId, outcome, attempt)
    return outcome
  })
}

async function settleCall(
  tx: Ctx,
  session: LockedSession,
  toolCallId: string,
  outcome: AttemptOutcome,
  { begunBy, begunById }: AttemptRow
) {
  const call = await lockCall(tx, session, toolCallId)
  if (call === undefined || call.kind !== 'connection') return
  if (call.state !== 'open') return outcome.connected ? continueAfterRetry(tx, session, call) : undefined
  if (call.isDue) return settleExpired(tx, session, call)
  const settlement = connectSettlement(call, await verifyOutcome(tx, session, call, outcome))
  const via = begunById.startsWith('subject:') ? 'token' : 'page'
  await settle(tx, session, call, { ...settlement, answeredBy: begunBy, via })
}

/** Checks whether the session can use the new account, because its user may have changed meanwhile. */
async function verifyOutcome(
  tx: Ctx,
  session: LockedSession,
  call: CallRow,
  { connected, reason = 'failed', words }: AttemptOutcome
): Promise<ConnectOutcome> {
  if (!connected) return { connected, reason, ...(words === undefined ? {} : { words }) }
  const isActive = await isConnectedFor(tx, session, call)
  return isActive ? { connected: true } : { connected: false, reason: 'not_active' }
}
