import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { OobMetadata, OobReceipt, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { storable } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { findReceipt, hasReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { stopTurn } from '#lib/sessions/stop-turn.ts'
import { deliverOutOfBand } from './deliver-out-of-band.ts'
import { applyPolicy } from './policy.ts'
import { readOobSettings } from './read-settings.ts'
import { type Relay, storeOob } from './store-message.ts'
import { checkTrust } from './trust.ts'
import { withdrawReplaced } from './withdraw.ts'

/** The maximum size of the content and of the metadata, in bytes (api.md). */
const maxBytes = { content: 8 * 1024, metadata: 4 * 1024 }

/**
 * Accepts a message to an agent outside the conversation (004-6, 004-10). The stream of the session
 * continues. The agent receives the message at its next safe point, or after approval if the session's policy
 * requires it. The action `abort`, from a user or the system, also stops the running turn once the message is
 * accepted. `relay` is set if an agent sends it.
 */
export async function sendOutOfBand(ctx: Ctx, input: SendOob, relay?: Relay): Promise<OobReceipt> {
  const received = performance.now()
  const content = String(storable(input.content)).trim()
  if (content === '')
    throw new ApiError('EMPTY_MESSAGE', 'The content is empty. Write what the agent should know.')
  const metadata = (storable(input.metadata ?? {}) ?? {}) as OobMetadata
  assertSize('content', content)
  assertSize('metadata', JSON.stringify(metadata))
  const { source, sourceId } = checkTrust(ctx.actor, input)
  const isAbort = metadata.action === 'abort'
  if (isAbort && source !== 'user' && source !== 'system')
    throw invalid(
      'Only the sources "user" and "system" can abort a turn. Send the action "redirect" to let the agent decide.',
      {
        'metadata.action': `"abort" is not allowed for the source "${source}"`
      }
    )
  const { priority, ttlSeconds } = input
  const redactedBody = redacted(ctx, 'out-of-band', { content, metadata })
  const message = {
    ...redactedBody,
    source,
    sourceId,
    priority,
    ...(ttlSeconds === undefined ? {} : { ttlSeconds })
  }
  // A retry that only reads its receipt does not count against the rate limit.
  if (!(await hasReceipt(ctx, input.sessionId, 'oob', input.key)))
    await ctx.ports.enforceRateLimit(
      'outOfBand',
      [ctx.workspaceId, input.sessionId, source, sourceId].join(' ')
    )
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    const previousReceipt = await findReceipt<OobReceipt>(tx, session, 'oob', input.key, message)
    if (previousReceipt !== undefined) return previousReceipt
    const settings = await readOobSettings(tx, session.sessionKey)
    const status = applyPolicy(settings.policy, message, ctx.actor)
    const ttl = ttlSeconds === undefined ? settings.ttlSeconds : ttlSeconds
    if (status !== 'held') await withdrawReplaced(tx, session, message)
    const { row, ahead } = await storeOob(tx, session, {
      ...message,
      ttlSeconds: ttl,
      pending: settings.pending,
      status,
      received,
      relay,
      sender: relay === undefined ? identityOf(ctx.actor) : undefined
    })
    if (ttl !== null)
      await enqueue(
        tx,
        'expire-oob',
        { sessionKey: session.sessionKey },
        { key: `expire-oob:${row.id}`, inSeconds: ttl }
      )
    const currentStatus = status === 'held' ? status : (await deliverOutOfBand(tx, session, row)).status
    const receipt: OobReceipt = {
      id: row.id,
      status: currentStatus,
      queuePosition: currentStatus === 'visible' ? ahead + 1 : 0
    }
    await storeReceipt(tx, session, 'oob', input.key, message, receipt)
    if (isAbort && status !== 'held') await stopTurn(tx, session, 'cancelled')
    return receipt
  })
}

function assertSize(field: keyof typeof maxBytes, text: string): void {
  if (Buffer.byteLength(text) > maxBytes[field])
    throw new ApiError(
      'TOO_LARGE',
      `The ${field} of an out-of-band message can be up to ${maxBytes[field] / 1024} KiB. Send a summary, and say where the details are.`
    )
}
