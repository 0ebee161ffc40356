import { inTransaction } from '#db/transaction.ts'
import { accountOfCall } from '#lib/engine/calls/account-of-call.ts'
import { type ConnectOutcome, connectionOf, connectSettlement } from '#lib/engine/calls/connection-call.ts'
import { settleExpired } from '#lib/engine/calls/deadline.ts'
import { lockCall, settle } from '#lib/engine/calls/settle.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import { type LockedSession, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Given } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AttemptOutcome, kindOfCredential } from '#lib/protocol/connection/connection.ts'
import { type AttemptRow, endAttempt } from './attempt.ts'
import { giveBack } from './revoke.ts'
import { storeConnection } from './store.ts'

/** `from` is absent of what somebody entered. */
type Found = (Pick<Given, 'granted'> & Partial<Given>) | { refused: string }

/**
 * The end of an attempt, in one transaction: the credential is kept, the attempt is over, and the call that asked for the
 * account is settled (002-9, 002-11), so that its turn goes on whether or not a page is there to say so. A call that was
 * settled meanwhile stays as it is; what was connected is there the next time. What came for an attempt that was given up,
 * or for a session that is gone, is given back.
 */
export async function settleConnect(ctx: Ctx, attempt: AttemptRow, found: Found): Promise<AttemptOutcome> {
  const outcome = await settled(ctx, attempt, found)
  if ('granted' in found && found.from !== undefined && !outcome.connected)
    await giveBack(found.from, found.granted.credential, attempt.integration)
  return outcome
}

function settled(ctx: Ctx, attempt: AttemptRow, found: Found): Promise<AttemptOutcome> {
  return inTransaction(ctx, async tx => {
    const { sessionKey, generation, toolCallId, sharing, begunBy: by } = attempt
    const head = sessionKey === null ? undefined : await lockSessionByKey(tx, sessionKey)
    const life = head?.generation === generation ? head : undefined
    const isGone = sharing === 'session' && life === undefined
    const refused =
      'refused' in found ? found.refused : isGone ? 'The session was deleted in the meantime.' : undefined
    const outcome = await endAttempt(
      tx,
      attempt.attemptId,
      refused === undefined ? { connected: true } : { connected: false, reason: 'failed', words: refused }
    )
    if ('granted' in found && outcome.connected)
      await storeConnection(
        tx,
        { ...attempt, mode: kindOfCredential(attempt.mode), by, byId: attempt.begunById },
        found.granted
      )
    // The agent is told what the account is called. Whoever connects it can choose that.
    if (life !== undefined && sharing === 'session' && outcome.connected)
      await addAuthors(tx, life.sessionKey, [{ id: attempt.begunById, name: by }])
    const isGivenUp = outcome.reason === 'cancelled'
    if (life !== undefined && toolCallId !== null && !isGivenUp)
      await settleCall(tx, life, toolCallId, outcome, attempt)
    return outcome
  })
}

async function settleCall(
  tx: Ctx,
  head: LockedSession,
  toolCallId: string,
  outcome: AttemptOutcome,
  { begunBy, begunById }: AttemptRow
) {
  const call = await lockCall(tx, head, toolCallId)
  if (call === undefined || call.state !== 'open' || call.kind !== 'connection') return
  if (call.isDue) return settleExpired(tx, head, call)
  const settlement = connectSettlement(call, await verified(tx, head, call, outcome))
  const via = begunById.startsWith('subject:') ? 'token' : 'page'
  await settle(tx, head, call, { ...settlement, answeredBy: begunBy, via })
}

/** The account is there; whether this session may use it is another question: its user may have changed meanwhile. */
async function verified(
  tx: Ctx,
  head: LockedSession,
  call: Parameters<typeof connectionOf>[0] & Parameters<typeof accountOfCall>[0],
  { connected, reason = 'failed', words }: AttemptOutcome
): Promise<ConnectOutcome> {
  if (!connected) return { connected, reason, ...(words === undefined ? {} : { words }) }
  const isActive = await tx.ports.isConnected(
    tx,
    { ...head, account: accountOfCall(call) },
    connectionOf(call)
  )
  return isActive ? { connected: true } : { connected: false, reason: 'not_active' }
}
