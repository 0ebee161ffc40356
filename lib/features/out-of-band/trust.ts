import { ApiError } from '@waystation/base/api-error.ts'
import { defaultTrust, fullTrust, type OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import type { OobPriority, OobSource, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { covers } from '#lib/kernel/scope.ts'
import { isBelow } from './policy.ts'

type Sender = { source: OobSource; sourceId: string }
type Claim = Pick<SendOob, 'source' | 'sourceId' | 'priority'>

/**
 * Returns the source of a message. The credential decides which source and priority a sender can claim (004-14):
 * - Members and end users send as `user` and in their own name. End users need the scope `answer` for `critical`,
 *   because a critical message settles calls, as an answer does.
 * - API keys send what their limits allow, never as `user`.
 * - The server itself sends for agents, as `agent` unless it names another source. It never sends as `user`.
 * Throws `FORBIDDEN` for any other claim, with the accepted values in `fields`.
 */
export function checkTrust(actor: Actor, claim: Claim): Sender {
  switch (actor.kind) {
    case 'key':
      return senderOfKey(actor, claim)
    case 'system':
      return {
        source: claimed(claim.source ?? 'agent', 'The server', fullTrust),
        sourceId: claim.sourceId ?? actor.name
      }
    case 'subject': {
      const sender = asUser(actor, claim)
      if (!covers(actor, 'answer')) checkPriority('This session token', 'high', claim.priority)
      return sender
    }
    case 'person':
      return asUser(actor, claim)
  }
}

function senderOfKey(actor: Extract<Actor, { kind: 'key' }>, claim: Claim): Sender {
  const trust = actor.outOfBand ?? defaultTrust
  const key = `The API key "${actor.name}"`
  const [usual = 'external'] = trust.sources
  const source = claimed(
    claim.source ?? (trust.sources.includes('external') ? 'external' : usual),
    key,
    trust
  )
  checkPriority(key, trust.maxPriority, claim.priority)
  return { source, sourceId: claim.sourceId ?? actor.name }
}

/** Returns the source if the sender can claim it. */
function claimed(source: OobSource, who: string, { sources }: OobTrust): OobSource {
  if (source !== 'user' && sources.includes(source)) return source
  const fields = { source: sources.length === 0 ? 'no source is allowed' : `must be ${sources.join(' or ')}` }
  throw forbidden(
    source === 'user'
      ? 'Only members and end users send with the source "user". Omit "source", or use a session token of the end user.'
      : `${who} cannot send with the source "${source}". Send another source, or use a key that allows this one.`,
    fields
  )
}

function checkPriority(who: string, max: OobPriority, priority: OobPriority): void {
  if (!isBelow(max, priority)) return
  throw forbidden(
    `${who} cannot send messages above the priority ${max}. Lower "priority", or use a credential that allows "${priority}".`,
    { priority: `must be at most "${max}"` }
  )
}

function asUser({ name }: Actor, { source = 'user', sourceId = name }: Claim): Sender {
  if (source === 'user' && sourceId === name) return { source, sourceId }
  throw forbidden(
    'You can send out-of-band messages only in your own name. Omit "source" and "sourceId", or use an API key.',
    { source: `must be "user", and "sourceId" must be "${name}"` }
  )
}

const forbidden = (message: string, fields: Record<string, string>) =>
  new ApiError('FORBIDDEN', message, { fields })
