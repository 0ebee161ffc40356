import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** The headers of a Standard Webhook: one signature for each secret that holds, so that either side may change over. */
export function signed(secrets: readonly string[], id: string, body: string): Record<string, string> {
  if (secrets.length === 0) return {}
  const now = new Date()
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, now, body)).join(' ')
  }
}

/** What somebody offers as proof that a body is theirs. */
export type Proof = { id: string; timestamp: string; signature: string }

/** Is this body signed by one of these secrets, not more than five minutes ago? */
export const isSigned = (
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
