import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { isSame } from './capability.ts'

/**
 * Returns the headers of a Standard Webhook, with one signature for each valid secret, so that sender and receiver can
 * rotate secrets independently. Without secrets it returns no headers.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  body: string
): Record<string, string> {
  if (secrets.length === 0) return {}
  const now = new Date()
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, now, body)).join(' ')
  }
}

/** The headers that prove who sent a body. */
export type Proof = { id: string; timestamp: string; signature: string }

/** How many seconds before or after now a signature is valid. */
const toleranceSeconds = 5 * 60

/**
 * Returns whether one of these secrets signed this body, at most five minutes before or after now. The package verifies
 * only text, and a file can be any bytes.
 */
export function verifySignature(
  secrets: readonly string[],
  { id, timestamp, signature }: Proof,
  body: string | Uint8Array
): boolean {
  const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  const age = Math.abs(Math.floor(Date.now() / 1000) - seconds)
  if (id === '' || !(age <= toleranceSeconds)) return false
  const given = signature.split(' ')
  return secrets.some(secret => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    return given.some(one => isSame(one, `v1,${digest}`))
  })
}
