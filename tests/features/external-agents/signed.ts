import { createHmac } from 'node:crypto'

/** Returns the headers of a Standard Webhooks signature for a body of text or bytes, by the specification. */
export function signed(secret: string, body: string | Uint8Array, id = 'msg_1'): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const digest = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` }
}
