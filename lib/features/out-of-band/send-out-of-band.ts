import { storable } from '#db/client.ts'
import { inTransaction, together } from '#db/transaction.ts'
import { hasReceipt, keepReceipt, knownReceipt } from '#lib/engine/inbox/receipts.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { stopTurn } from '#lib/engine/worker/stop-turn.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import type { OobMetadata, OobReceipt, OobSource, SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import { acceptOob, type Relay } from './accept.ts'
import { deliverOutOfBand } from './deliver-out-of-band.ts'
import { oobTtl } from './oob-ttl.ts'
import { applyPolicy, policyOf } from './policy.ts'

/** The most its content may be, and its metadata, in bytes (api.md). */
const mostBytes = { content: 8 * 1024, metadata: 4 * 1024 }

/**
 * Takes input beside the conversation (004-6, 004-10): whether the session is busy, at rest or waits for somebody, its stream
 * goes on, and the agent is told at its next safe point, or when somebody lets it in (the session's policy). `abort`, of a person or the system, also stops the running turn, once it is let in.
 * `relay`: the session of the agent that sends it.
 */
export async function sendOutOfBand(ctx: Ctx, input: SendOob, relay?: Relay): Promise<OobReceipt> {
  const received = performance.now()
  const content = String(storable(input.content)).trim()
  if (content === '')
    throw new Refusal('EMPTY_MESSAGE', 'The content is empty. Write what the agent should know.')
  const metadata = (storable(input.metadata ?? {}) ?? {}) as OobMetadata
  heedSize('content', content)
  heedSize('metadata', JSON.stringify(metadata))
  const { source, sourceId } = sourceFor(ctx.actor, input)
  const isAbort = metadata.action === 'abort'
  if (isAbort && source !== 'user' && source !== 'system')
    throw invalid(
      'Only the sources "user" and "system" can abort a turn. Send the action "redirect" to let the agent decide.',
      {
        'metadata.action': `"abort" is not allowed for the source "${source}"`
      }
    )
  const { priority, ttlSeconds } = input
  const told = redacted(ctx, 'out-of-band', { content, metadata })
  const said = { ...told, source, sourceId, priority, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) }
  // Who only asks again what came of it is not refused for asking too often.
  if (!(await hasReceipt(ctx, input.sessionId, 'oob', input.key)))
    await ctx.ports.enforceRateLimit(
      'outOfBand',
      [ctx.workspaceId, input.sessionId, source, sourceId].join(' ')
    )
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, input.sessionId)
    const known = await knownReceipt<OobReceipt>(tx, head, 'oob', input.key, said)
    if (known !== undefined) return known
    const [policy, ttl] = await together([policyOf(tx, head), oobTtl(tx, head, ttlSeconds)])
    const status = applyPolicy(policy, said, { actor: ctx.actor, byAgent: relay !== undefined })
    const { row, ahead } = await acceptOob(tx, head, {
      ...said,
      ttlSeconds: ttl,
      status,
      received,
      relay,
      sender: relay === undefined ? identityOf(ctx.actor) : undefined
    })
    if (ttl !== null)
      await enqueue(
        tx,
        'expire-oob',
        { sessionKey: head.sessionKey },
        { key: `expire-oob:${row.id}`, inSeconds: ttl }
      )
    const now = status === 'held' ? status : (await deliverOutOfBand(tx, head, row)).status
    const receipt: OobReceipt = { id: row.id, status: now, queuePosition: now === 'visible' ? ahead + 1 : 0 }
    await keepReceipt(tx, head, 'oob', input.key, said, receipt)
    if (isAbort && status !== 'held') await stopTurn(tx, head, 'cancelled')
    return receipt
  })
}

function heedSize(what: keyof typeof mostBytes, text: string): void {
  if (Buffer.byteLength(text) > mostBytes[what])
    throw new Refusal(
      'TOO_LARGE',
      `The ${what} of an out-of-band message can be up to ${mostBytes[what] / 1024} KiB. Send a summary, and say where the details are.`
    )
}

/** People and end users speak for themselves, under their own name; a key of the workspace says for whom it speaks. */
function sourceFor(actor: Actor, asked: SendOob): { source: OobSource; sourceId: string } {
  const { source, sourceId = actor.name } = asked
  if (actor.kind === 'key' || actor.kind === 'system') return { source: source ?? 'external', sourceId }
  if ((source ?? 'user') !== 'user' || sourceId !== actor.name)
    throw invalid(
      'You can send out-of-band messages only in your own name. Omit "source" and "sourceId", or use an API key.',
      {
        source: `must be "user", and "sourceId" must be "${actor.name}"`
      }
    )
  return { source: 'user', sourceId }
}
