import { Webhook, WebhookVerificationError } from 'standardwebhooks'

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

/** Returns whether one of these secrets signed this body, at most five minutes before or after now. */
export const verifySignature = (
  secrets: readonly string[],
  { id, timestamp, signature }: Proof,
  body: string
): boolean =>
  secrets.some(secret => {
    try {
      new Webhook(secret).verify(
        body,
        { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
        { jsonParse: false }
      )
      return true
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false
      throw error
    }
  })
