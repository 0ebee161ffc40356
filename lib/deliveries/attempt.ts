import { retryAfterMs } from '@waystation/base/retry-after.ts'
import { OutboundError } from '@waystation/egress'
import type { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { storable } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import { type SecretOwner, secretsOf } from './secrets.ts'
import { signatureHeaders } from './sign.ts'

/** How long one attempt can take, in milliseconds (000-10). */
const attemptMs = 5_000

/** How many bytes of a response are read, and how many characters of it are kept. */
const limits = { bytes: 1024 * 1024, characters: 2_000 }

/** A POST request with a JSON body. `id` is its idempotency key. It is signed with the secrets of `owner`. */
export type OutboundRequest = {
  id: string
  url: string
  body: Record<string, unknown>
  workspaceId: string
  owner: SecretOwner
}

type Answer = Omit<DeliveryAttempt, 'at' | 'ms'>

/**
 * The result of an attempt. `retryAfter` is the wait that the receiver requests, in seconds. `late` means that it did
 * not respond in time.
 */
type Outcome = { attempt: DeliveryAttempt; retryAfter: number; late: boolean }

/**
 * Sends a request once. Any 2xx accepts it. Otherwise the attempt has an error, also if there is no response, or if no
 * secret can be decrypted.
 */
export async function attemptDelivery(ctx: Ctx, request: OutboundRequest): Promise<Outcome> {
  const at = new Date().toISOString()
  const started = performance.now()
  const outcome = (answer: Answer, { retryAfter = 0, late = false } = {}): Outcome => ({
    attempt: { at, ms: Math.round(performance.now() - started), ...answer },
    retryAfter,
    late
  })
  try {
    const { answer, retryAfter } = await send(ctx, request)
    return outcome(answer, { retryAfter })
  } catch (error) {
    const late = error instanceof OutboundError && error.code === 'TIMEOUT'
    return outcome({ error: error instanceof Error ? error.message : String(error) }, { late })
  }
}

/** Sends one POST request. Throws if there is no response, or if no secret can be decrypted. */
async function send(ctx: Ctx, { id, url, body, workspaceId, owner }: OutboundRequest) {
  const text = JSON.stringify(body)
  const secrets = await secretsOf(ctx, workspaceId, owner)
  const response = await ctx.ports.fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': id,
      ...signatureHeaders(secrets, id, text)
    },
    body: text,
    redirect: 'manual',
    timeout: attemptMs,
    maxBytes: limits.bytes,
    // The status decides. The rest of the response can be late or endless.
    partial: true
  })
  const { status } = response
  const accepted = status >= 200 && status < 300
  const answer: Answer = {
    status,
    ...(accepted ? {} : { error: `The endpoint responded with ${status}.` }),
    ...excerptOf(redactedOr({ ...ctx, workspaceId }, 'reply', response.text(), ''))
  }
  return { answer, retryAfter: (retryAfterMs(Object.fromEntries(response.headers)) ?? 0) / 1000 }
}

const excerptOf = (text: string) =>
  text.trim() === '' ? {} : { body: String(storable(text.slice(0, limits.characters).toWellFormed())) }
